import { assertTexts } from '../assert-texts.ts';
import type { Embedder, Embedding, EmbedOptions } from '../embedder.ts';
import { EmbedderClosedError } from '../embedder-closed-error.ts';
import { retryingLoad } from '../retrying-load.ts';
import { withSignal } from '../with-signal.ts';
import { ALL_MINILM_L6_V2_SHA256 } from './file-pins.ts';
import { type LoadedModel, loadModel, type ModelPlan } from './load-model.ts';
import { runModel } from './run-model.ts';
import { tokenizeWindow } from './tokenize.ts';
import type { TransformersEmbedderOptions } from './transformers-embedder-options.ts';
import { importTransformers } from './transformers-library.ts';

const DEFAULT_MODEL = 'Xenova/all-MiniLM-L6-v2';

/** A transformers embedder: everything an {@link Embedder} may have, it has. */
export type TransformersEmbedder = Required<Embedder>;

/**
 * An embedder that runs a sentence model with `@huggingface/transformers`: mean over the tokens,
 * normalised. Creating it loads nothing; the first `embed` or `ready` loads the library and the
 * model, once for all callers.
 *
 * A text longer than the model's window is cut, and its result says `truncated`. Texts are run one
 * after the other, in the order of the calls.
 *
 * `embed` and `ready` reject with an `EmbedderLoadError` when loading fails. They do so at once until
 * the error's `retryAt`; the first call after that tries again.
 */
export function createTransformersEmbedder(
  options: TransformersEmbedderOptions = {},
): TransformersEmbedder {
  const closing = new AbortController();
  const plan = modelPlan(options, closing.signal);
  const id = `transformers/${plan.source.model}@${plan.source.revision}/${plan.dtype}/mean`;
  const load = retryingLoad(async () => {
    return loadModel(await library(options), plan);
  }, options.retry);
  let loading: Promise<LoadedModel> | undefined;
  let queue: Promise<unknown> = Promise.resolve();
  let closed: Promise<void> | undefined;

  const loadedModel = (): Promise<LoadedModel> => {
    if (closed !== undefined) return Promise.reject(new EmbedderClosedError(id));
    loading = load();
    return loading;
  };

  const embed = async (
    texts: readonly string[],
    { signal }: EmbedOptions = {},
  ): Promise<Embedding[]> => {
    assertTexts(texts);
    const copy = [...texts];
    const run = async (): Promise<Embedding[]> => {
      const loaded = await loadedModel();
      const embeddings: Embedding[] = [];
      for (const text of copy) {
        signal?.throwIfAborted();
        embeddings.push(await embedText(loaded, text));
      }
      return embeddings;
    };
    const result = queue.then(run);
    queue = result.catch(() => undefined);
    return withSignal(result, signal);
  };

  const close = async (): Promise<void> => {
    closing.abort(new EmbedderClosedError(id));
    await queue;
    const loaded = await loading?.catch(() => undefined);
    await loaded?.model.dispose();
  };

  return {
    id,
    dimensions: plan.dimensions,
    embed,
    ready: async () => void (await loadedModel()),
    close: () => {
      closed ??= close();
      return closed;
    },
  };
}

async function embedText(loaded: LoadedModel, text: string): Promise<Embedding> {
  if (text.trim() === '') {
    return { vector: new Float32Array(loaded.dimensions), truncated: false };
  }
  const { ids, truncated } = tokenizeWindow(loaded.tokenizer, text, loaded.window);
  const { vectors } = await runModel(loaded, [ids]);
  return { vector: vectors, truncated };
}

function library(options: TransformersEmbedderOptions) {
  if (options.transformers === undefined) return importTransformers();
  return typeof options.transformers === 'function'
    ? options.transformers()
    : Promise.resolve(options.transformers);
}

function modelPlan(options: TransformersEmbedderOptions, signal: AbortSignal): ModelPlan {
  const { model = DEFAULT_MODEL, revision = 'main', dimensions = 384 } = options;
  if (!Number.isInteger(dimensions) || dimensions < 1) {
    throw new RangeError(`dimensions: expected an integer of at least 1, received ${dimensions}`);
  }
  const known = model === DEFAULT_MODEL && revision === 'main' ? ALL_MINILM_L6_V2_SHA256 : {};
  return {
    source: {
      model,
      revision,
      localModelPath: options.localModelPath,
      cacheDir: options.cacheDir,
      allowRemote: options.allowRemote ?? true,
      pins: options.sha256 ?? {},
      downloadPins: options.sha256 ?? known,
      onProgress: options.onProgress,
      signal,
    },
    dtype: options.dtype ?? 'q8',
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
