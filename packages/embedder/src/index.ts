export {
  createEmbedder,
  EMBEDDER_KINDS,
  type EmbedderKind,
  type EmbedderOptionsByKind,
} from './create-embedder.ts';
export {
  createTransformersEmbedder,
  type TransformersEmbedder,
} from './create-transformers-embedder.ts';
export { defaultEmbedder, isTransformersInstalled } from './default-embedder.ts';
export type {
  ClosableEmbedder,
  EmbeddableStep,
  EmbeddableTrace,
  Embedder,
  Embedding,
  EmbedOptions,
} from './embedding/embedder.ts';
export { type EmbeddingCacheOptions, withEmbeddingCache } from './embedding/embedding-cache.ts';
export {
  EmbedderClosedError,
  EmbedderLoadError,
  type EmbedderLoadErrorCode,
  type EmbedderLoadErrorDetails,
  EmbeddingError,
} from './embedding/errors.ts';
export type { RetryOptions } from './embedding/loading.ts';
export type { DownloadProgress } from './files/download.ts';
export { ALL_MINILM_L6_V2_SHA256, type FilePins } from './files/hashes.ts';
export {
  createLexicalEmbedder,
  type LexicalEmbedderOptions,
} from './lexical/create-lexical-embedder.ts';
export { createStaticEmbedder } from './static/create-static-embedder.ts';
export type { StaticPooling } from './static/static-model.ts';
export type { StaticEmbedderOptions, StaticModelFiles } from './static/static-source.ts';
export type { StaticTokenizer, TokenizersLibrary } from './static/static-tokenizer.ts';
export { createTaskEmbedder } from './task/create-task-embedder.ts';
export {
  type TaskTexts,
  type TaskView,
  taskTexts,
  taskView,
  valuesGiven,
} from './task/task-view.ts';
export type { NodeWorkerLike, WorkerEventLike, WorkerLike } from './transformers/thread.ts';
export type {
  TransformersLibrary,
  TransformersModel,
  TransformersTensor,
  TransformersTokenizer,
} from './transformers/transformers-library.ts';
export type {
  DownloadNotice,
  ModelDtype,
  TransformersEmbedderOptions,
} from './transformers/transformers-options.ts';
