import { InvalidValueError } from '@kp/foundation';
import { createTransformersEmbedder } from './create-transformers-embedder.ts';
import type { Embedder } from './embedding/embedder.ts';
import {
  createLexicalEmbedder,
  type LexicalEmbedderOptions,
} from './lexical/create-lexical-embedder.ts';
import { createStaticEmbedder } from './static/create-static-embedder.ts';
import type { StaticEmbedderOptions } from './static/static-source.ts';
import { createTaskEmbedder } from './task/create-task-embedder.ts';
import type { TransformersEmbedderOptions } from './transformers/transformers-options.ts';

/** The options of each embedder, by its name. */
export interface EmbedderOptionsByKind {
  /** A sentence transformer that runs on ONNX. */
  readonly transformers: TransformersEmbedderOptions;
  /** Token vectors from the files of a model2vec model. */
  readonly static: StaticEmbedderOptions;
  /** Hashed words; needs no model. */
  readonly lexical: LexicalEmbedderOptions;
  /** The lexical embedder, applied to the description of the task. */
  readonly task: LexicalEmbedderOptions;
}

/** The name of an embedder. */
export type EmbedderKind = keyof EmbedderOptionsByKind;

const CREATE: { readonly [K in EmbedderKind]: (options: EmbedderOptionsByKind[K]) => Embedder } = {
  transformers: createTransformersEmbedder,
  static: createStaticEmbedder,
  lexical: createLexicalEmbedder,
  task: createTaskEmbedder,
};

/** The names that `createEmbedder` accepts. */
export const EMBEDDER_KINDS: readonly EmbedderKind[] = [
  'transformers',
  'static',
  'lexical',
  'task',
];

/**
 * Creates an embedder by its name, for command lines and configuration files.
 *
 * @param kind - name of the embedder.
 * @param options - of that embedder; only `static` requires any.
 * @throws InvalidValueError listing the kinds.
 */
export function createEmbedder(kind: 'transformers' | 'lexical' | 'task'): Embedder;
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
