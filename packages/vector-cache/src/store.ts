import type { Engine } from './options.ts';
import type { Hit } from './similarity.ts';
import type { Values } from './vector-input.ts';

/**
 * Rows of unit vectors in order of age, and the searches over them. Among equal similarities the
 * oldest row comes first. Load a vector first; the next call appends it or searches for it. A
 * method that throws changes nothing.
 */
export interface VectorStore {
  readonly engine: Engine;
  /** Maximum number of rows, including erased ones; undefined without a limit. */
  readonly limit?: number;
  /** Memory for the rows. */
  readonly bytes: number;
  /** Loads a vector of the right length; `subject` is its name in error messages. */
  load(subject: string, values: Values): void;
  /** Loads a vector that `read` wrote at `offset`. */
  loadUnit(vectors: Float32Array, offset: number): void;
  /** Prepares for the given number of further rows. */
  expect?(rows: number): void;
  /** @throws OutOfMemoryError when there is no room for another row. The vector stays loaded. */
  reserve?(): void;
  /**
   * Drops the oldest `dropped` rows and appends the loaded vector, after {@link reserve}. Needs fewer
   * than `limit` rows before.
   */
  append(dropped: number): void;
  dropOldest(count: number): void;
  /** Excludes the row from every search. */
  erase(position: number): void;
  /** Removes the rows for which `isErased`; older rows move up. */
  compact(isErased: (position: number) => boolean): void;
  /**
   * Raises the limit; exists only if there is a limit.
   *
   * @throws OutOfMemoryError when it cannot be raised.
   */
  raiseLimit?(limit: number): void;
  /** Removes all rows and frees their memory. */
  clear(): void;
  /** The greatest similarity of at least `floor`. */
  nearest(floor: number): Hit | undefined;
  /** Whether any similarity is at least `floor`. */
  reaches(floor: number): boolean;
  /** The `k` greatest similarities of at least `floor`, best first, of rows whose bit in `mask` is set. */
  search(k: number, floor: number, mask: Uint8Array | undefined): Hit[];
  /** Copies vectors from `position` on to `target[offset…]`, without padding. Unloads the loaded one. */
  read(position: number, count: number, target: Float32Array, offset: number): void;
}
