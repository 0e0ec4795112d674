import type { EmbeddingCacheOptions } from '../cache/embedding-cache.ts';
import type { FilePins } from '../file-pins.ts';
import type { RetryOptions } from '../retrying-load.ts';
import type { WorkerLike } from '../worker/worker-like.ts';
import type { TransformersLibrary } from './transformers-library.ts';

/** Number formats of model files, by their name in transformers.js. */
export type ModelDtype = 'fp32' | 'fp16' | 'q8' | 'int8' | 'uint8' | 'q4' | 'q4f16' | 'bnb4';

/** How far the download of one file is. */
export interface DownloadProgress {
  readonly file: string;
  /** Bytes so far. */
  readonly loaded: number;
  /** Bytes in all; undefined when the server does not say. */
  readonly total: number | undefined;
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
   * starts it from a file beside this one; in a bundle or an executable give a function that starts
   * a worker of it. `retry.now` is not used there. Default false.
   */
  readonly worker?: boolean | (() => WorkerLike);
  /** Passed to onnxruntime. Default one thread: `{ intraOpNumThreads: 1, interOpNumThreads: 1 }`. */
  readonly sessionOptions?: Readonly<Record<string, unknown>>;
  /** Folder that holds `<model>/config.json` and so on. With it, nothing is downloaded. */
  readonly localModelPath?: string;
  /** Folder for downloaded files. Default: the one that transformers.js uses. */
  readonly cacheDir?: string;
  /** Whether missing files may be downloaded. Default true; false means cached files only. */
  readonly allowRemote?: boolean;
  /**
   * Hashes that files must have on every load, by path inside the model's folder; a mismatch refuses
   * the model. Default: the published hashes of the default model, checked when a file is downloaded
   * at revision `main`, and nothing after that. `{}` checks nothing.
   */
  readonly sha256?: FilePins;
  /** Bounds of the memory of texts embedded lately, which are not embedded again; false for none. */
  readonly cache?: EmbeddingCacheOptions | false;
  /** Called as files are downloaded. */
  readonly onProgress?: (progress: DownloadProgress) => void;
  /** Waits between failed loads. */
  readonly retry?: RetryOptions;
  /** The library, or a function that gives it, when it cannot be found by its name (a bundle, a test). */
  readonly transformers?: TransformersLibrary | (() => Promise<TransformersLibrary>);
}
