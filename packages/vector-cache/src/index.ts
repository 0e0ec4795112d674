export {
  DimensionMismatchError,
  InvalidTypeError,
  InvalidValueError,
  OutOfMemoryError,
  SnapshotError,
  type VectorCacheErrorCode,
} from './errors.ts';
export type { VectorCacheOptions } from './options.ts';
export type { Engine } from './store.ts';
export {
  type Neighbor,
  type SearchOptions,
  type SnapshotOptions,
  VectorCache,
} from './vector-cache.ts';
