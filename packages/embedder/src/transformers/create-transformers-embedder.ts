import { InvalidTypeError } from '@kp/foundation';
import type { Embedder } from '../embedder.ts';
import { type ModelRunner, runnerEmbedder } from './runner-embedder.ts';
import {
  embedderId,
  embedPlan,
  modelPlan,
  type TransformersEmbedderOptions,
} from './transformers-options.ts';

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
    throw new InvalidTypeError(
      'transformers',
      'none with worker, whose thread imports its own',
      options.transformers,
    );
  }
  const { dimensions } = plan;
  return runnerEmbedder({ id, dimensions }, options.cache, () => startRunner(options));
}

/** Loaded with the first call: a program may well have an embedder that it never asks. */
async function startRunner(options: TransformersEmbedderOptions): Promise<ModelRunner> {
  if (options.worker) {
    const { createWorkerRunner } = await import('../worker/worker-runner.ts');
    return createWorkerRunner(options);
  }
  const { createModelRunner } = await import('./model-runner.ts');
  return createModelRunner(options);
}
