import { InvalidValueError } from '@kp/foundation';
import { checkType } from './options.ts';

/** Where a search found a vector, and how similar it is. Written in place by the searches. */
export interface Hit {
  /** Place in order of age: 0 is the oldest entry. */
  position: number;
  similarity: number;
}

const { fround } = Math;

/**
 * The dot product every answer of the cache is defined by: float32 throughout, eight partial sums
 * (component i goes to sum i mod 8, in order), folded as ((s0+s4)+(s1+s5)) + ((s2+s6)+(s3+s7)).
 * A fixed order makes the result the same to the last bit wherever it is computed.
 *
 * @param rows - holds one vector at `offset`, its length that of `query`.
 * @param query - `[8n]` float32 values.
 */
export function dotProduct(rows: Float32Array, offset: number, query: Float32Array): number {
  let s0 = 0;
  let s1 = 0;
  let s2 = 0;
  let s3 = 0;
  let s4 = 0;
  let s5 = 0;
  let s6 = 0;
  let s7 = 0;
  for (let i = 0, r = offset; i < query.length; i += 8, r += 8) {
    s0 = fround(s0 + fround(rows[r] * query[i]));
    s1 = fround(s1 + fround(rows[r + 1] * query[i + 1]));
    s2 = fround(s2 + fround(rows[r + 2] * query[i + 2]));
    s3 = fround(s3 + fround(rows[r + 3] * query[i + 3]));
    s4 = fround(s4 + fround(rows[r + 4] * query[i + 4]));
    s5 = fround(s5 + fround(rows[r + 5] * query[i + 5]));
    s6 = fround(s6 + fround(rows[r + 6] * query[i + 6]));
    s7 = fround(s7 + fround(rows[r + 7] * query[i + 7]));
  }
  const low = fround(fround(s0 + s4) + fround(s1 + s5));
  return fround(low + fround(fround(s2 + s6) + fround(s3 + s7)));
}

/** Rounding can carry the product of two unit vectors a little beyond 1. */
export function clampSimilarity(similarity: number): number {
  return Math.max(-1, Math.min(1, similarity));
}

/** The least float32 that is at least `floor`: similarities are float32. */
export function singleFloor(floor: number | undefined): number {
  if (floor === undefined) return -Infinity;
  checkType('floor', floor, 'number');
  if (Number.isNaN(floor)) throw new InvalidValueError('floor', 'a number from -1 to 1', floor);
  if (floor <= -1) return -Infinity;
  const nearest = fround(floor);
  if (nearest >= floor) return nearest;
  // From half a unit in the last place to a whole one more rounds to the next float32. The unit is
  // 2 ** -149 where they are smallest.
  return fround(floor + Math.max(Math.abs(floor) * 2 ** -24, 0.75 * 2 ** -149));
}

/** Orders hits best first; of equals the one of the smaller position. */
export function byRank(a: Hit, b: Hit): number {
  return b.similarity - a.similarity || a.position - b.position;
}
