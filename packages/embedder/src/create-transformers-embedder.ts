import { InvalidTypeError } from '@kp/foundation';
import { assertOptions } from './embedding/embed-call.ts';
import type { ClosableEmbedder } from './embedding/embedder.ts';
import { assertRetry } from './embedding/loading.ts';
import { type ModelRunner, runnerEmbedder } from './transformers/runner-embedder.ts';
import {
  embedderId,
  embedPlan,
  modelPlan,
  type TransformersEmbedderOptions,
} from './transformers/transformers-options.ts';

/** An {@link Embedder} with all optional methods. */
export type TransformersEmbedder = ClosableEmbedder;

const TRANSFORMERS_OPTIONS: Readonly<Record<keyof TransformersEmbedderOptions, true>> = {
  model: true,
  revision: true,
  dtype: true,
  dimensions: true,
  maxTokens: true,
  longText: true,
  maxChunks: true,
  batchSize: true,
  device: true,
  worker: true,
  sessionOptions: true,
  localModelPath: true,
  cacheDir: true,
  allowRemote: true,
  sha256: true,
  cache: true,
  onDownload: true,
  stallTimeoutMs: true,
  onProgress: true,
  retry: true,
  transformers: true,
};

/**
 * An embedder that runs a sentence model with `@huggingface/transformers`: the normalised mean over the
 * tokens. Creating it loads nothing; the first `embed` or `ready` loads the library and the model, once
 * for all callers, in this thread or, with `worker`, in another.
 *
 * A text longer than the model's window is truncated unless `longText` is set, and its embedding has
 * `truncated`. Calls run one after the other.
 *
 * `embed` and `ready` reject with an `EmbedderLoadError` when loading fails, and at once until its
 * `retryAt`. The first call after that tries again.
 *
 * @throws InvalidValueError when an option is out of range, InvalidTypeError when options exclude each
 *   other.
 */
export function createTransformersEmbedder(
  options: TransformersEmbedderOptions = {},
): TransformersEmbedder {
  assertOptions(options, TRANSFORMERS_OPTIONS);
  assertRetry(options.retry);
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

/** Imported by the first call, because a program may create an embedder that it never uses. */
async function startRunner(options: TransformersEmbedderOptions): Promise<ModelRunner> {
  if (options.worker) {
    const { createWorkerRunner } = await import('./worker/worker-runner.ts');
    return createWorkerRunner(options);
  }
  const { createModelRunner } = await import('./transformers/model-runner.ts');
  return createModelRunner(options);
}
