import { InvalidValueError } from './errors.ts';
import { checkNumber } from './options.ts';

/** Rounding can carry the product of two unit vectors a little beyond 1. */
export function clampSimilarity(similarity: number): number {
  return Math.max(-1, Math.min(1, similarity));
}

/** The least float32 that is at least `floor`: similarities are float32. */
export function singleFloor(floor: number | undefined): number {
  if (floor === undefined) return Number.NEGATIVE_INFINITY;
  checkNumber('floor', floor);
  if (Number.isNaN(floor)) throw new InvalidValueError('floor', 'a number from -1 to 1', floor);
  if (floor <= -1) return Number.NEGATIVE_INFINITY;
  const nearest = Math.fround(floor);
  if (nearest >= floor) return nearest;
  // Half a unit in the last place more than `floor` rounds to the next float32.
  const unit = 2 ** (Math.floor(Math.log2(Math.max(Math.abs(floor), 2 ** -126))) - 23);
  return Math.fround(nearest + unit);
}
