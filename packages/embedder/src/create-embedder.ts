import { InvalidValueError } from '@kp/foundation';
import type { Embedder } from './embedder.ts';
import {
  createLexicalEmbedder,
  type LexicalEmbedderOptions,
} from './lexical/create-lexical-embedder.ts';
import { createStaticEmbedder } from './static/create-static-embedder.ts';
import type { StaticEmbedderOptions } from './static/static-source.ts';
import { createTransformersEmbedder } from './transformers/create-transformers-embedder.ts';
import type { TransformersEmbedderOptions } from './transformers/transformers-options.ts';

/** The embedders by name, with their options. */
export interface EmbedderOptionsByKind {
  /** A sentence transformer by ONNX. */
  readonly transformers: TransformersEmbedderOptions;
  /** Word vectors from files of model2vec. */
  readonly static: StaticEmbedderOptions;
  /** Words, hashed: needs nothing. */
  readonly lexical: LexicalEmbedderOptions;
}

/** A name of an embedder. */
export type EmbedderKind = keyof EmbedderOptionsByKind;

const CREATE: { readonly [K in EmbedderKind]: (options: EmbedderOptionsByKind[K]) => Embedder } = {
  transformers: createTransformersEmbedder,
  static: createStaticEmbedder,
  lexical: createLexicalEmbedder,
};

/** The names that `createEmbedder` knows. */
export const EMBEDDER_KINDS: readonly EmbedderKind[] = ['transformers', 'static', 'lexical'];

/**
 * Creates an embedder by name, as a command line or a configuration has it.
 *
 * @param options - of that embedder; only `static` needs any.
 * @param kind - one of {@link EMBEDDER_KINDS}.
 * @throws InvalidValueError naming the kinds when it is none of them.
 */
export function createEmbedder(kind: 'transformers' | 'lexical'): Embedder;
export function createEmbedder<K extends EmbedderKind>(
  kind: K,
  options: EmbedderOptionsByKind[K],
): Embedder;
export function createEmbedder<K extends EmbedderKind>(
  kind: K,
  options: EmbedderOptionsByKind[K] = {},
): Embedder {
  if (!EMBEDDER_KINDS.includes(kind)) {
    throw new InvalidValueError('embedder', `one of ${EMBEDDER_KINDS.join(', ')}`, kind);
  }
  return CREATE[kind](options);
}
