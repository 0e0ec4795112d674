import { InvalidValueError } from '@kp/foundation';
import type { EmbeddingCacheOptions } from '../embedding-cache.ts';
import type { DownloadProgress } from '../files/download.ts';
import { ALL_MINILM_L6_V2_SHA256, type FilePins } from '../files/hashes.ts';
import type { RetryOptions } from '../loading.ts';
import type { NodeWorkerLike, WorkerLike } from '../worker/thread.ts';
import type { TransformersLibrary } from './transformers-library.ts';

/** Number formats of model files, by their name in transformers.js. */
export type ModelDtype = 'fp32' | 'fp16' | 'q8' | 'int8' | 'uint8' | 'q4' | 'q4f16' | 'bnb4';

/** What is about to be downloaded, before anything is. */
export interface DownloadNotice {
  /** The model's name. */
  readonly model: string;
  /** Which revision of it. */
  readonly revision: string;
  /** The number format. */
  readonly dtype: ModelDtype;
  /** About how large the model is; undefined for other models than the default one. */
  readonly megabytes: number | undefined;
  /** All of it in words, with how to turn it off. */
  readonly message: string;
}

/** Options of `createTransformersEmbedder`. */
export interface TransformersEmbedderOptions {
  /** Model name on the Hub, and its folder under `localModelPath`. Default `Xenova/all-MiniLM-L6-v2`. */
  readonly model?: string;
  /** Branch, tag or commit to download. Default `main`. */
  readonly revision?: string;
  /** Number format. Default `q8`. */
  readonly dtype?: ModelDtype;
  /** Length of the vectors that the model gives; a model of another length is refused. Default 384. */
  readonly dimensions?: number;
  /** Most tokens the model may be given, if fewer than it can read. Default: the model's own limit. */
  readonly maxTokens?: number;
  /**
   * What becomes of a text longer than the model's window. `truncate`, the default, reads its
   * beginning; `chunk` reads it in pieces, cut at the `boundaries` of the call where it can, and takes
   * the mean of their vectors, weighted by their tokens.
   */
  readonly longText?: 'truncate' | 'chunk';
  /** Most pieces of one text that `chunk` reads; what comes after is left out. Default 64. */
  readonly maxChunks?: number;
  /**
   * Most texts in one run. Default 32; 1 turns batching off. Batches are used only with models whose
   * vectors come out the same in a batch as alone, within 1e-5, which is tried once: those of dtype
   * `q8` mostly do not.
   */
  readonly batchSize?: number;
  /** Where inference runs, as transformers.js names it: `cpu`, `webgpu`, `wasm`. Default: the library's. */
  readonly device?: string;
  /**
   * Loads and runs the model in a worker thread, so that neither ever blocks the event loop. True
   * starts `@kp/embedder/worker` where that can be looked up; in a bundle or an executable give a
   * function that starts a worker which imports it. `retry.now` is not used there. Default false.
   */
  readonly worker?: boolean | (() => WorkerLike | NodeWorkerLike);
  /** Passed to onnxruntime. Default one thread: `{ intraOpNumThreads: 1, interOpNumThreads: 1 }`. */
  readonly sessionOptions?: Readonly<Record<string, unknown>>;
  /** Folder that holds `<model>/config.json` and so on. With it, nothing is downloaded. */
  readonly localModelPath?: string;
  /** Folder for downloaded files. Default: the one that transformers.js uses. */
  readonly cacheDir?: string;
  /**
   * Whether missing files may be downloaded; false means cached files only. Default: true, but false
   * where the environment has `KP_OFFLINE` or `HF_HUB_OFFLINE` set to `1`.
   */
  readonly allowRemote?: boolean;
  /**
   * Hashes that files must have on every load, by path inside the model's folder; a mismatch refuses
   * the model. Default: the published hashes of the default model, checked when a file is downloaded
   * at revision `main`, and nothing after that. `{}` checks nothing.
   */
  readonly sha256?: FilePins;
  /** Bounds of the memory of texts embedded lately, which are not embedded again; false for none. */
  readonly cache?: EmbeddingCacheOptions | false;
  /** Called before the first download of a model. Default: prints the notice as a warning. */
  readonly onDownload?: (notice: DownloadNotice) => void;
  /** Longest wait for a server, and for each further piece of its answer. Default 30,000 ms. */
  readonly stallTimeoutMs?: number;
  /** Called as files are downloaded. */
  readonly onProgress?: (progress: DownloadProgress) => void;
  /** Waits between failed loads. */
  readonly retry?: RetryOptions;
  /** The library, or a function that gives it, when it cannot be found by its name (a bundle, a test). */
  readonly transformers?: TransformersLibrary | (() => Promise<TransformersLibrary>);
}

/** Where the files of a model come from. */
export interface ModelSource {
  readonly model: string;
  readonly revision: string;
  readonly dtype: ModelDtype;
  readonly localModelPath: string | undefined;
  readonly cacheDir: string | undefined;
  readonly allowRemote: boolean;
  /** Checked on every load. */
  readonly pins: FilePins;
  /** Checked when a file is downloaded. */
  readonly downloadPins: FilePins;
  /** Called before every download; heeded once. */
  readonly onDownload: (notice: DownloadNotice) => void;
  readonly onProgress: ((progress: DownloadProgress) => void) | undefined;
  readonly stallTimeoutMs: number | undefined;
  readonly signal: AbortSignal;
}

/** What is loaded, and how. */
export interface ModelPlan {
  readonly source: ModelSource;
  readonly dtype: ModelDtype;
  readonly dimensions: number;
  readonly maxTokens: number;
  readonly device: string | undefined;
  readonly sessionOptions: Readonly<Record<string, unknown>>;
}

/** How long texts and many texts are treated. */
export interface EmbedPlan {
  readonly longText: 'truncate' | 'chunk';
  readonly maxChunks: number;
  readonly batchSize: number;
}

/** The model that the score is specified with. */
export const DEFAULT_MODEL = 'Xenova/all-MiniLM-L6-v2';
const DEFAULT_DIMENSIONS = 384;

/** What follows `onnx/model` in the name of the file of each number format. */
export const FILE_SUFFIX: Readonly<Record<ModelDtype, string>> = {
  fp32: '',
  fp16: '_fp16',
  q8: '_quantized',
  int8: '_int8',
  uint8: '_uint8',
  q4: '_q4',
  q4f16: '_q4f16',
  bnb4: '_bnb4',
};

/** Everything the vectors depend on. */
export function embedderId({ source, dtype, maxTokens }: ModelPlan, plan: EmbedPlan): string {
  const limit = Number.isFinite(maxTokens) ? `-${maxTokens}` : '';
  const chunks = plan.longText === 'chunk' ? `/chunk-${plan.maxChunks}` : '';
  return `transformers/${source.model}@${source.revision}/${dtype}/mean${limit}${chunks}`;
}

/**
 * The options that shape an embedding, checked.
 *
 * @throws RangeError naming the option.
 */
export function embedPlan(options: TransformersEmbedderOptions): EmbedPlan {
  const { longText = 'truncate', maxChunks = 64, batchSize = 32 } = options;
  if (longText !== 'truncate' && longText !== 'chunk') {
    throw new InvalidValueError('longText', 'truncate or chunk', longText);
  }
  assertCount('maxChunks', maxChunks);
  assertCount('batchSize', batchSize);
  return { longText, maxChunks, batchSize };
}

function assertCount(name: string, value: number): void {
  if (!Number.isInteger(value) || value < 1) {
    throw new InvalidValueError(name, 'an integer of at least 1', value);
  }
}

/**
 * The options that shape a model, checked.
 *
 * @throws RangeError naming the option.
 */
export function modelPlan(options: TransformersEmbedderOptions, signal: AbortSignal): ModelPlan {
  const { model = DEFAULT_MODEL, revision = 'main', dimensions = DEFAULT_DIMENSIONS } = options;
  const { dtype = 'q8' } = options;
  if (!Object.hasOwn(FILE_SUFFIX, dtype)) {
    throw new InvalidValueError('dtype', `one of ${Object.keys(FILE_SUFFIX).join(', ')}`, dtype);
  }
  assertCount('dimensions', dimensions);
  if (options.maxTokens !== undefined) assertCount('maxTokens', options.maxTokens);
  const known = model === DEFAULT_MODEL && revision === 'main' ? ALL_MINILM_L6_V2_SHA256 : {};
  return {
    source: {
      model,
      revision,
      dtype,
      localModelPath: options.localModelPath,
      cacheDir: options.cacheDir,
      allowRemote: options.allowRemote ?? !isOffline(),
      pins: options.sha256 ?? {},
      downloadPins: options.sha256 ?? known,
      onDownload: once(options.onDownload ?? printNotice),
      onProgress: options.onProgress,
      stallTimeoutMs: options.stallTimeoutMs,
      signal,
    },
    dtype,
    dimensions,
    maxTokens: options.maxTokens ?? Number.POSITIVE_INFINITY,
    device: options.device,
    sessionOptions: {
      intraOpNumThreads: 1,
      interOpNumThreads: 1,
      ...options.sessionOptions,
    },
  };
}

/** A load that is tried again need not say so again. */
function once(tell: (notice: DownloadNotice) => void): (notice: DownloadNotice) => void {
  let isTold = false;
  return (notice) => {
    if (isTold) return;
    isTold = true;
    tell(notice);
  };
}

/** Whether the environment forbids downloads, by our variable or by that of the hub's own tools. */
function isOffline(): boolean {
  const { process } = globalThis as { process?: { env?: Record<string, string | undefined> } };
  const { KP_OFFLINE, HF_HUB_OFFLINE } = process?.env ?? {};
  return [KP_OFFLINE, HF_HUB_OFFLINE].some((value) => value === '1' || value === 'true');
}

/** What becomes of a notice that nobody asked to be told of. */
export function printNotice({ message }: DownloadNotice): void {
  // biome-ignore lint/suspicious/noConsole: nobody should have to find out from the firewall.
  globalThis.console?.warn(`[@kp/embedder] ${message}`);
}
