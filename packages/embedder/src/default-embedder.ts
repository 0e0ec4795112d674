import type { Embedder } from './embedder.ts';
import { locatePackage } from './loading.ts';
import { runnerEmbedder } from './transformers/runner-embedder.ts';

/** What `createTransformersEmbedder()` says of itself, which is not loaded for that. */
const DEFAULT = {
  id: 'transformers/Xenova/all-MiniLM-L6-v2@main/q8/mean',
  dimensions: 384,
} as const;

/**
 * The embedder that is used when none is chosen: the transformers one with its default model when
 * `@huggingface/transformers` is installed, else null. Loads nothing.
 *
 * It works in a thread of its own, as loading a model would otherwise keep the event loop, and with
 * it every timer of the process, for longer than an evaluation may take.
 *
 * A model that is not on this machine is downloaded from the Hugging Face hub with the first `embed`,
 * after a warning that says so. With `KP_OFFLINE=1` in the environment it is not; with `KP_MODELS_DIR`
 * it is read from that folder alone, as with `localModelPath`.
 */
export function defaultEmbedder(): Embedder | null {
  if (!isTransformersInstalled()) return null;
  return runnerEmbedder(DEFAULT, undefined, async () => {
    const { createWorkerRunner } = await import('./worker/worker-runner.ts');
    const { process } = globalThis as { process?: { env?: Record<string, string | undefined> } };
    const localModelPath = process?.env?.KP_MODELS_DIR;
    return createWorkerRunner(localModelPath ? { localModelPath } : {});
  });
}

/** Whether `@huggingface/transformers` can be imported from here. Looks it up without loading it. */
export function isTransformersInstalled(): boolean {
  return locatePackage('@huggingface/transformers') !== undefined;
}
