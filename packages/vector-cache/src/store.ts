import type { Engine } from './options.ts';
import type { Hit } from './similarity.ts';
import type { Values } from './vector-input.ts';

/**
 * Rows of unit vectors in order of age, and the searches over them. Ties go to the oldest
 * everywhere. A vector is loaded first and then appended or searched for, with nothing in between.
 * What throws leaves everything as it was.
 */
export interface VectorStore {
  readonly engine: Engine;
  /** Rows kept at most, erased ones among them; undefined where there is no limit. */
  readonly limit?: number;
  /** Memory held for vectors and what belongs to them. */
  readonly bytes: number;
  /** Takes in a vector of the right length; `subject` is its name in error messages. */
  load(subject: string, values: Values): void;
  /** Takes in a vector that `read` gave, at `offset`. */
  loadUnit(vectors: Float32Array, offset: number): void;
  /** Told beforehand that the store will get so many rows more. */
  expect?(rows: number): void;
  /** @throws OutOfMemoryError when there is no room for another row. The vector stays loaded. */
  reserve?(): void;
  /**
   * Drops the oldest `dropped` rows and appends the loaded vector, after {@link reserve}. Needs fewer
   * than `limit` rows before.
   */
  append(dropped: number): void;
  dropOldest(count: number): void;
  /** Makes the row similar to nothing, not even at a floor of -1. */
  erase(position: number): void;
  /** Gives up the rows for which `isErased`; those before move up to the ones after. */
  compact(isErased: (position: number) => boolean): void;
  /** There where there is a limit. @throws OutOfMemoryError when it cannot be raised. */
  raiseLimit?(limit: number): void;
  /** Forgets every row and gives the memory back. */
  clear(): void;
  /**
   * Writes the greatest similarity into `hit`; false, and `hit` untouched, when there is none of at
   * least `floor`.
   */
  nearest(floor: number, hit: Hit): boolean;
  /** Whether any similarity is at least `floor`. */
  reaches(floor: number): boolean;
  /** The `k` greatest similarities of at least `floor`, best first; of rows whose bit is set. */
  search(k: number, floor: number, mask: Uint8Array | undefined): Hit[];
  /**
   * Copies the vectors from `position` on to `target[offset…]`, without the padding. What was loaded
   * is gone.
   */
  read(position: number, count: number, target: Float32Array, offset: number): void;
}
