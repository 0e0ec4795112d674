export type { EmbeddingCacheOptions } from './cache/embedding-cache.ts';
export { withEmbeddingCache } from './cache/with-embedding-cache.ts';
export {
  createEmbedder,
  EMBEDDER_KINDS,
  type EmbedderKind,
  type EmbedderOptionsByKind,
} from './create-embedder.ts';
export { defaultEmbedder } from './default-embedder.ts';
export type { Embedder, Embedding, EmbedOptions } from './embedder.ts';
export { EmbedderClosedError } from './embedder-closed-error.ts';
export {
  EmbedderLoadError,
  type EmbedderLoadErrorCode,
  type EmbedderLoadErrorDetails,
} from './embedder-load-error.ts';
export { ALL_MINILM_L6_V2_SHA256, type FilePins } from './file-pins.ts';
export {
  createLexicalEmbedder,
  type LexicalEmbedderOptions,
} from './lexical/create-lexical-embedder.ts';
export type { RetryOptions } from './retrying-load.ts';
export { createStaticEmbedder } from './static/create-static-embedder.ts';
export type { StaticEmbedderOptions, StaticModelFiles } from './static/static-embedder-options.ts';
export type { StaticPooling } from './static/static-model.ts';
export type { StaticTokenizer, TokenizersLibrary } from './static/tokenizers-library.ts';
export {
  createTransformersEmbedder,
  type TransformersEmbedder,
} from './transformers/create-transformers-embedder.ts';
export type {
  DownloadProgress,
  ModelDtype,
  TransformersEmbedderOptions,
} from './transformers/transformers-embedder-options.ts';
export {
  isTransformersInstalled,
  type TransformersLibrary,
  type TransformersModel,
  type TransformersTensor,
  type TransformersTokenizer,
} from './transformers/transformers-library.ts';
export type { WorkerEventLike, WorkerLike } from './worker/worker-like.ts';
