import { assertTexts } from '../assert-texts.ts';
import { cachedEmbed } from '../cache/cached-embed.ts';
import type { Embedder } from '../embedder.ts';
import { EmbedderClosedError } from '../embedder-closed-error.ts';
import { retryingLoad } from '../retrying-load.ts';
import { withSignal } from '../with-signal.ts';
import { embedTexts } from './embed-texts.ts';
import { type LoadedModel, loadModel } from './load-model.ts';
import { embedderId, embedPlan, modelPlan } from './plans.ts';
import type { TransformersEmbedderOptions } from './transformers-embedder-options.ts';
import { importTransformers, type TransformersLibrary } from './transformers-library.ts';

/** A transformers embedder: everything an {@link Embedder} may have, it has. */
export type TransformersEmbedder = Required<Embedder>;

/**
 * An embedder that runs a sentence model with `@huggingface/transformers`: mean over the tokens,
 * normalised. Creating it loads nothing; the first `embed` or `ready` loads the library and the
 * model, once for all callers.
 *
 * A text longer than the model's window is cut, and its result says `truncated`; see `longText`. Calls
 * are worked off in order, one after the other.
 *
 * `embed` and `ready` reject with an `EmbedderLoadError` when loading fails. They do so at once until
 * the error's `retryAt`; the first call after that tries again.
 */
export function createTransformersEmbedder(
  options: TransformersEmbedderOptions = {},
): TransformersEmbedder {
  const closing = new AbortController();
  const plan = modelPlan(options, closing.signal);
  const embedding = embedPlan(options);
  const id = embedderId(plan, embedding);
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

  const cached = cachedEmbed(async (texts, embedOptions = {}) => {
    const copy = [...texts];
    const result = queue.then(async () => {
      return embedTexts(await loadedModel(), copy, embedding, embedOptions);
    });
    queue = result.catch(() => undefined);
    return withSignal(result, embedOptions.signal);
  }, options.cache);

  const close = async (): Promise<void> => {
    closing.abort(new EmbedderClosedError(id));
    cached.clear();
    await queue;
    const loaded = await loading?.catch(() => undefined);
    await loaded?.model.dispose();
  };

  return {
    id,
    dimensions: plan.dimensions,
    embed: async (texts, embedOptions) => {
      assertTexts(texts);
      if (closed !== undefined) throw new EmbedderClosedError(id);
      return cached.embed(texts, embedOptions);
    },
    ready: async () => void (await loadedModel()),
    close: () => {
      closed ??= close();
      return closed;
    },
  };
}

function library(options: TransformersEmbedderOptions): Promise<TransformersLibrary> {
  if (options.transformers === undefined) return importTransformers();
  return typeof options.transformers === 'function'
    ? options.transformers()
    : Promise.resolve(options.transformers);
}
