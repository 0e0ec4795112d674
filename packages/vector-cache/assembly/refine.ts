// Exact comparison of the rows that the bounds do not exclude. `seed` scores the row with the
// highest bound. `refine` examines only rows whose bound reaches the best similarity so far: at 128
// coordinates, then at all, then exactly. It never drops a row whose bound reaches the threshold,
// so the hits equal those of a scan of every row.
import { boundMiddle, boundWhole } from './bounds';
import { skip, threshold } from './hits';
import { groupProducts, offerGroup, offerRow, rowProduct, scanRows } from './scan';
import { bounds, placeOf, vectors, width1, width2 } from './segment';
import { length, unit } from './workspace';

// Work of each step on a block of sixteen rows. The unit is the work of scanning one value of each
// row, so a scan of the block takes `length` units. Measured on rows in the cache of one core,
// where the steps are most expensive relative to a scan.
const BOUND_WORK: f32 = 20;
const LEVEL_WORK: f32 = 22;
const LEVEL_WORK_PER_VALUE: f32 = 0.36;
const EXACT_WORK: f32 = 11;
// One row takes half the arithmetic of its group of four, but reads the same cache lines.
const EXACT_SHARE: f32 = 1 / 4;
const ENCODE_WORK: f32 = 80;
const ENCODE_WORK_PER_VALUE: f32 = 1.4;
/** Share of a scan's work that a query may lose before the remaining rows are scanned. */
const ALLOWANCE: f32 = 0.08;

/** Work of the query so far, minus the work of scanning the same rows. */
let deficit: f32 = 0;
let allowance: f32 = 0;
let scanWork: f32 = 0;
let middleTried: i32 = 0;
let middlePassed: i32 = 0;

/** Starts the accounting of a query over this number of rows. */
export function beginRefine(rows: i32): void {
  const blocks = <f32>rows / 16;
  scanWork = blocks * <f32>length;
  deficit = blocks * BOUND_WORK + ENCODE_WORK + <f32>length * ENCODE_WORK_PER_VALUE;
  allowance = deficit + ALLOWANCE * scanWork;
  middleTried = 0;
  middlePassed = 0;
}

/** Accounts for skipped rows. */
export function passAll(): void {
  deficit -= scanWork;
}

/**
 * Returns the extra work that the bounds of the last query caused, as a share of a scan; negative
 * if they saved work.
 */
export function loss(): f32 {
  return deficit / scanWork;
}

/** Scores the first row in `[from, to)` whose bound is `value`, if any. */
export function seed(from: i32, to: i32, position: i32, value: f32): bool {
  const wanted = f32x4.splat(value);
  for (let first = from & ~3; first < to; first += 4) {
    let lanes = i32x4.bitmask(f32x4.eq(v128.load(bounds + (first << 2)), wanted));
    for (; lanes !== 0; lanes &= lanes - 1) {
      const row = first + ctz(lanes);
      if (row < from || row >= to) continue;
      offerExactly(row, position);
      skip(position + row);
      return true;
    }
  }
  return false;
}

/** Offers every row in `[from, to)` of the open segment that can be a hit, after `bound`. */
export function refine(from: i32, to: i32, position: i32): void {
  const last = width2() === 0;
  for (let first = from & ~15; first < to; first += 16) {
    if (deficit > allowance) {
      scanRows(vectors, unit, length, max(first, from), to, position);
      return;
    }
    deficit -= <f32>length;
    let alive = live(first, from, to) & survivors(bounds + (first << 2));
    if (alive === 0) continue;
    let groups = groupsOf(alive);
    const useMiddle = last || middlePassed << 1 <= middleTried + 16 || (first & 112) === 0;
    alive &= boundMiddle(first, groups, !useMiddle);
    deficit += LEVEL_WORK + <f32>width1() * LEVEL_WORK_PER_VALUE;
    if (useMiddle) {
      middleTried += 1;
      if (alive === 0) continue;
      middlePassed += 1;
      groups = groupsOf(alive);
    }
    if (!last) {
      alive &= boundWhole(first, groups);
      deficit += LEVEL_WORK + <f32>width2() * LEVEL_WORK_PER_VALUE;
    }
    for (; alive !== 0; ) {
      const group = ctz(alive) & ~3;
      const inGroup = (alive >> group) & 15;
      alive &= ~(15 << group);
      if ((inGroup & (inGroup - 1)) === 0) {
        offerExactly(first + group + ctz(inGroup), position);
      } else {
        const place = placeOf(first + group);
        const products = groupProducts(place, unit, length);
        offerGroup(products, place, unit, length, first + group, from, to, position);
      }
      deficit += EXACT_WORK + <f32>length * EXACT_SHARE;
    }
  }
}

function offerExactly(row: i32, position: i32): void {
  const place = placeOf(row);
  offerRow(position + row, rowProduct(place, unit, length), place, unit, length);
}

/** Returns the bits of the rows of a block that are in `[from, to)`. */
function live(first: i32, from: i32, to: i32): i32 {
  let lanes = 0xffff;
  if (first < from) lanes &= 0xffff << (from - first);
  if (first + 16 > to) lanes &= 0xffff >> (first + 16 - to);
  return lanes;
}

/** Returns the bits of the sixteen bounds at `at` that reach the threshold. */
function survivors(at: usize): i32 {
  const wanted = f32x4.splat(threshold);
  const low = f32x4.ge(v128.load(at), wanted);
  const low2 = f32x4.ge(v128.load(at, 16), wanted);
  const high = f32x4.ge(v128.load(at, 32), wanted);
  const high2 = f32x4.ge(v128.load(at, 48), wanted);
  return i8x16.bitmask(
    i8x16.narrow_i16x8_s(i16x8.narrow_i32x4_s(low, low2), i16x8.narrow_i32x4_s(high, high2)),
  );
}

/** Returns bits 0 to 3, set for groups with at least one remaining row. */
function groupsOf(alive: i32): i32 {
  return (
    <i32>((alive & 15) !== 0) |
    ((<i32>((alive & 0xf0) !== 0)) << 1) |
    ((<i32>((alive & 0xf00) !== 0)) << 2) |
    ((<i32>((alive & 0xf000) !== 0)) << 3)
  );
}
