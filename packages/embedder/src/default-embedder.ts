import type { Embedder } from './embedder.ts';
import { createTransformersEmbedder } from './transformers/create-transformers-embedder.ts';
import { isTransformersInstalled } from './transformers/transformers-library.ts';

/**
 * The embedder that is used when none is chosen: the transformers one with its default model when
 * `@huggingface/transformers` is installed, else null. Loads nothing.
 *
 * It works in a thread of its own, as loading a model would otherwise keep the event loop, and with
 * it every timer of the process, for longer than an evaluation may take.
 */
export function defaultEmbedder(): Embedder | null {
  return isTransformersInstalled() ? createTransformersEmbedder({ worker: true }) : null;
}
