export {
  DimensionMismatchError,
  InvalidTypeError,
  InvalidValueError,
  OutOfMemoryError,
  SnapshotError,
  type VectorCacheError,
  type VectorCacheErrorCode,
} from './errors.ts';
export type {
  Engine,
  Entry,
  Neighbor,
  SearchOptions,
  SnapshotOptions,
  VectorCacheOptions,
} from './options.ts';
export {
  type SimilarityGraph,
  type SimilarityGraphOptions,
  similarityGraph,
} from './similarity-graph.ts';
export { VectorCache } from './vector-cache.ts';
