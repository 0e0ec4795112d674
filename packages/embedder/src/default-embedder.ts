import { closable, type Embedder } from './embedder.ts';
import { isInstalled } from './loading.ts';
import type { TransformersEmbedderOptions } from './transformers/transformers-options.ts';

/** The `id` and `dimensions` of `createTransformersEmbedder()`, which is not loaded for them. */
const ID = 'transformers/Xenova/all-MiniLM-L6-v2@main/q8/mean';
const DIMENSIONS = 384;

/**
 * The embedder that is used when none is chosen: the transformers one with its default model when
 * `@huggingface/transformers` is installed, else null. Loads nothing, and a bundle that asks for it has
 * its code in a file of its own.
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
  let loading: Promise<Required<Embedder>> | undefined;
  const loaded = (): Promise<Required<Embedder>> => {
    loading ??= create();
    return loading;
  };
  return closable({
    id: ID,
    dimensions: DIMENSIONS,
    embed: async (texts, options) => {
      const copy = Array.isArray(texts) ? [...texts] : texts;
      return (await loaded()).embed(copy, options);
    },
    ready: async () => (await loaded()).ready(),
    close: async () => {
      // Also when it was not used yet: it must refuse afterwards.
      await (await loaded()).close();
    },
  });
}

/** Whether `@huggingface/transformers` can be imported from here. Looks it up without loading it. */
export function isTransformersInstalled(): boolean {
  return isInstalled('@huggingface/transformers');
}

async function create(): Promise<Required<Embedder>> {
  const { createTransformersEmbedder } = await import(
    './transformers/create-transformers-embedder.ts'
  );
  const { process } = globalThis as { process?: { env?: Record<string, string | undefined> } };
  const localModelPath = process?.env?.KP_MODELS_DIR;
  const options: TransformersEmbedderOptions = { worker: true };
  return createTransformersEmbedder(localModelPath ? { ...options, localModelPath } : options);
}
