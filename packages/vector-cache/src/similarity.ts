import { InvalidValueError } from '@kp/foundation';
import { checkType } from './options.ts';

/** An entry that a search found. */
export interface Hit {
  /** Rank by age: 0 is the oldest entry. */
  readonly position: number;
  readonly similarity: number;
}

const { fround } = Math;

/**
 * The similarity that defines every answer: the dot product limited to [-1, 1], or exactly 1 for
 * two equal vectors, because rounding can make their product slightly less than 1.
 *
 * @param rows - contains a vector of length 1, or zeros, at `offset`; as long as `query`.
 * @param query - `[8n]` float32 values of length 1, or zeros.
 */
export function similarityOf(rows: Float32Array, offset: number, query: Float32Array): number {
  const product = dotProduct(rows, offset, query);
  if (product >= leastOwnProduct(query.length)) {
    return product >= 1 || query.every((value, at) => value === rows[offset + at]) ? 1 : product;
  }
  return Math.max(-1, product);
}

/**
 * The least product that a vector of length 1 can have with itself.
 *
 * @see docs/error-bound.md, "Equal vectors".
 */
function leastOwnProduct(length: number): number {
  return 1 - (length / 8 + 8) * 6.3e-8;
}

/**
 * A dot product in float32 throughout: eight partial sums (component i goes to sum i mod 8, in
 * order), folded as ((s0+s4)+(s1+s5)) + ((s2+s6)+(s3+s7)). The fixed order makes the result the same
 * to the last bit on every engine.
 *
 * @param rows - contains a vector at `offset`, as long as `query`.
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

/** Returns the least float32 that is at least `floor`, because similarities are float32. */
export function singleFloor(floor: number | undefined): number {
  if (floor === undefined) return -Infinity;
  checkType('floor', floor, 'number');
  if (Number.isNaN(floor)) throw new InvalidValueError('floor', 'a number from -1 to 1', floor);
  if (floor <= -1) return -Infinity;
  const nearest = fround(floor);
  if (nearest >= floor) return nearest;
  // Adding between half a unit and a whole unit in the last place rounds to the next float32. The
  // smallest unit is 2 ** -149.
  return fround(floor + Math.max(Math.abs(floor) * 2 ** -24, 0.75 * 2 ** -149));
}

/** Orders hits best first; among equals, the smaller position comes first. */
export function byRank(a: Hit, b: Hit): number {
  return b.similarity - a.similarity || a.position - b.position;
}
