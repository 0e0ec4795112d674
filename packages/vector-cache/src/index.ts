export {
  DimensionMismatchError,
  InvalidTypeError,
  InvalidValueError,
  SnapshotError,
  type VectorCacheErrorCode,
} from './errors.ts';
export type { VectorCacheOptions } from './options.ts';
export { type Neighbor, type SnapshotOptions, VectorCache } from './vector-cache.ts';
