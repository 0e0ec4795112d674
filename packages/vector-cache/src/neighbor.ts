import type { VectorCacheOptions } from './options.ts';

/** An entry of a `VectorCache`, as a search finds it. */
export interface Neighbor {
  /** What `add` was given as the key; undefined when it was given none. */
  readonly key: string | undefined;
  /** Cosine of the angle to the query, from -1 to 1; 0 when either vector is all zeros. */
  readonly similarity: number;
  /** Reading of the cache's clock, in milliseconds, when the entry was added. */
  readonly addedAt: number;
}

/** What a search need not look for. */
export interface SearchOptions {
  /** Entries less similar than this do not count: the higher, the sooner the answer. */
  floor?: number | undefined;
}

/** What `VectorCache.fromBytes` may change or demand. */
export interface SnapshotOptions extends VectorCacheOptions {
  /** Milliseconds to add to every age: the time the snapshot lay unused. 0 when left out. */
  elapsedMs?: number | undefined;
}
