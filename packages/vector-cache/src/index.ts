export {
  DimensionMismatchError,
  InvalidTypeError,
  InvalidValueError,
  OutOfMemoryError,
  SnapshotError,
  type VectorCacheErrorCode,
} from './errors.ts';
export type { Neighbor, SearchOptions, SnapshotOptions } from './neighbor.ts';
export type { VectorCacheOptions } from './options.ts';
export type { Engine } from './store.ts';
export { VectorCache } from './vector-cache.ts';
