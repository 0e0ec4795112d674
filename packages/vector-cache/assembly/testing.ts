// The kernel with access to its bounds, for the test that tries to violate them.
import { bound, boundMiddle, boundWhole, encode, groupBounds } from './bounds';
import { bounds, openSegment } from './segment';
import { rotated } from './workspace';

export { append, bind, link, normalize } from './index';

/**
 * Computes the codes of the vector in the workspace and the bounds of the rows `[0, rows)` of a
 * segment.
 */
export function beginBounds(segment: usize, rows: i32): void {
  encode();
  openSegment(segment);
  bound(0, rows);
}

/** Bounds of the sixteen rows from `first` on, after 32, 128 or all coordinates: level 0, 1, 2. */
export function writeBounds(level: i32, first: i32, to: usize): void {
  if (level === 0) {
    memory.copy(to, bounds + (first << 2), 64);
    return;
  }
  boundMiddle(first, 15, true);
  if (level === 2) boundWhole(first, 15);
  for (let group = 0; group < 4; group++) {
    v128.store(to + (group << 4), groupBounds(first, group, level === 2));
  }
}

/** Returns the address of the last encoded or appended vector, rotated. */
export function rotatedPlace(): usize {
  return rotated;
}
