import { assertTexts } from '../assert-texts.ts';
import { cachedEmbed } from '../cache/cached-embed.ts';
import type { Embedder } from '../embedder.ts';
import { EmbedderClosedError } from '../embedder-closed-error.ts';
import { createWorkerRunner } from '../worker/create-worker-runner.ts';
import { createModelRunner } from './create-model-runner.ts';
import { embedderId, embedPlan, modelPlan } from './plans.ts';
import type { TransformersEmbedderOptions } from './transformers-embedder-options.ts';

/** A transformers embedder: everything an {@link Embedder} may have, it has. */
export type TransformersEmbedder = Required<Embedder>;

/**
 * An embedder that runs a sentence model with `@huggingface/transformers`: mean over the tokens,
 * normalised. Creating it loads nothing; the first `embed` or `ready` loads the library and the
 * model, once for all callers, in this thread or with `worker` in another.
 *
 * A text longer than the model's window is cut, and its result says `truncated`; see `longText`. Calls
 * are worked off in order, one after the other.
 *
 * `embed` and `ready` reject with an `EmbedderLoadError` when loading fails. They do so at once until
 * the error's `retryAt`; the first call after that tries again.
 *
 * @throws RangeError when an option is out of its range, TypeError when options exclude each other.
 */
export function createTransformersEmbedder(
  options: TransformersEmbedderOptions = {},
): TransformersEmbedder {
  const plan = modelPlan(options, new AbortController().signal);
  const id = embedderId(plan, embedPlan(options));
  if (options.worker && options.transformers !== undefined) {
    throw new TypeError('transformers: expected none with worker, whose thread imports its own');
  }
  const runner = options.worker ? createWorkerRunner(options) : createModelRunner(options);
  const cached = cachedEmbed((texts, embedOptions = {}) => {
    return runner.embed(texts, embedOptions);
  }, options.cache);
  let closed: Promise<void> | undefined;

  const assertOpen = (): void => {
    if (closed !== undefined) throw new EmbedderClosedError(id);
  };

  return {
    id,
    dimensions: plan.dimensions,
    embed: async (texts, embedOptions) => {
      assertTexts(texts);
      assertOpen();
      return cached.embed(texts, embedOptions);
    },
    ready: async () => {
      assertOpen();
      await runner.ready();
    },
    close: () => {
      closed ??= runner.close();
      cached.clear();
      return closed;
    },
  };
}
