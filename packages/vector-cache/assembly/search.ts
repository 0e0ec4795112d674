// A query over the whole ring of segments. The segment and the index of the oldest row, and the
// number of rows, determine which rows are live. The rows of the last segment may continue in the
// first one.
import { bound, encode } from './bounds';
import { beginHits, hitCount } from './hits';
import { beginRefine, passAll, refine, seed } from './refine';
import { scanRows } from './scan';
import { nextOf, openSegment, rowsOf, vectors } from './segment';
import { leastOwnProduct } from './unit';
import { length, unit } from './workspace';

let segment: usize = 0;
let from: i32 = 0;
let to: i32 = 0;
let position: i32 = 0;
let remaining: i32 = 0;

/**
 * Finds the `k` rows most similar to the unit vector in the workspace, among those with a
 * similarity of at least `floor`. Uses bounds or, with `isPlain`, only a scan; the hits are the
 * same. With a `mask`, only rows whose bit is set, by position. With `isFirstEnough` it may stop at
 * the first hit. Writes the hits to `hits`.
 */
export function search(
  first: usize,
  head: i32,
  size: i32,
  hits: usize,
  k: i32,
  floor: f32,
  mask: usize,
  isPlain: bool,
  isFirstEnough: bool,
): void {
  beginHits(hits, k, floor, mask, leastOwnProduct(length));
  if (isPlain) {
    for (start(first, head, size); remaining > 0; advance()) {
      scanRows(vectors, unit, length, from, to, position);
      if (isFirstEnough && hitCount() > 0) return;
    }
    return;
  }
  encode();
  beginRefine(size);
  let most: f32 = -Infinity;
  for (start(first, head, size); remaining > 0; advance()) most = max(most, bound(from, to));
  if (most < floor) {
    passAll();
    return;
  }
  for (start(first, head, size); remaining > 0; advance()) {
    if (seed(from, to, position, most)) break;
  }
  for (start(first, head, size); remaining > 0; advance()) {
    if (isFirstEnough && hitCount() > 0) {
      passAll();
      return;
    }
    refine(from, to, position);
  }
}

/** Opens the first run of rows: `[from, to)` of a segment, row r at `position + r`. */
function start(first: usize, head: i32, size: i32): void {
  segment = first;
  from = head;
  position = -head;
  remaining = size;
  open();
}

function advance(): void {
  remaining -= to - from;
  if (remaining === 0) return;
  position += rowsOf(segment);
  segment = nextOf(segment);
  from = 0;
  open();
}

function open(): void {
  to = min(rowsOf(segment), from + remaining);
  openSegment(segment);
}
