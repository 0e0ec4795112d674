// Upper bounds of similarities from the codes of a prefix of the coordinates, or of all of them.
// docs/error-bound.md has the proof.
import { threshold } from './hits';
import { addBlock, addGroup, encodeQuery, FACTOR_BYTES, offset, products } from './planes';
import {
  codeError,
  codeScale,
  measure,
  PREFIX0,
  PREFIX1,
  prefixNorm0,
  prefixNorm1,
  quantize,
  tailNorm0,
  tailNorm1,
  wholeNorm,
} from './quantize';
import { rotate } from './rotate';
import { bounds, facts, partialSums, plane0, plane1, plane2, width1, width2 } from './segment';
import { mostOfLanes } from './unit';
import {
  codes,
  factors,
  length,
  mask,
  rotated,
  rotationBlock,
  signs,
  sums,
  unit,
} from './workspace';

let queryScale: f32 = 0;
let errorFactor0: f32 = 0;
let errorFactor1: f32 = 0;
let errorFactor2: f32 = 0;
let tail0: f32 = 0;
let tail1: f32 = 0;
let offset0: i32 = 0;
let offset1: i32 = 0;
let offset2: i32 = 0;
let slack: f32 = 0;

/** Computes the codes of the unit vector in the workspace for the bounds below. */
export function encode(): void {
  rotate(unit, length, rotationBlock, signs, rotated);
  measure(rotated, length);
  quantize(rotated, length, codes);
  encodeQuery(codes, PREFIX0, factors);
  offset0 = offset;
  encodeQuery(codes + PREFIX0, width1(), factors + PREFIX0 * FACTOR_BYTES);
  offset1 = offset;
  encodeQuery(codes + PREFIX1, width2(), factors + PREFIX1 * FACTOR_BYTES);
  offset2 = offset;
  // The sums are scaled by 256.
  queryScale = codeScale / 256;
  errorFactor0 = prefixNorm0 + codeError;
  errorFactor1 = prefixNorm1 + codeError;
  errorFactor2 = wholeNorm + codeError;
  tail0 = tailNorm0;
  tail1 = tailNorm1;
  const roundings = <f64>((length >> 3) + 4 * (32 - clz(rotationBlock)) + 60);
  slack = <f32>(1.0001 * <f64>codeError + roundings * 6.3e-8);
}

/**
 * Writes an upper bound for each row in `[from, to)` of the open segment; returns the greatest one.
 */
export function bound(from: i32, to: i32): f32 {
  const first = from & ~15;
  let fact = facts + (first << 4);
  let ub = bounds + (first << 2);
  let partial = partialSums + (first << 2);
  let codesAt = plane0 + <usize>first * PREFIX0;
  const errorFactor = f32x4.splat(errorFactor0);
  const tailFactor = f32x4.splat(tail0);
  const scale = f32x4.splat(queryScale);
  const constant = f32x4.splat(slack);
  const start = i32x4.splat(-offset0);
  const lowMask = v128.load(mask);
  let most = f32x4.splat(-Infinity);
  for (let row = first; row < to; row += 16) {
    let sum0 = start;
    let sum1 = start;
    let sum2 = start;
    let sum3 = start;
    const end = factors + PREFIX0 * FACTOR_BYTES;
    for (let factor = factors; factor < end; factor += 64, codesAt += 128) {
      let high = v128.load(factor);
      let mixed = v128.load(factor, 16);
      sum0 = i32x4.add(sum0, products(v128.load(codesAt), lowMask, high, mixed));
      sum1 = i32x4.add(sum1, products(v128.load(codesAt, 16), lowMask, high, mixed));
      sum2 = i32x4.add(sum2, products(v128.load(codesAt, 32), lowMask, high, mixed));
      sum3 = i32x4.add(sum3, products(v128.load(codesAt, 48), lowMask, high, mixed));
      high = v128.load(factor, 32);
      mixed = v128.load(factor, 48);
      sum0 = i32x4.add(sum0, products(v128.load(codesAt, 64), lowMask, high, mixed));
      sum1 = i32x4.add(sum1, products(v128.load(codesAt, 80), lowMask, high, mixed));
      sum2 = i32x4.add(sum2, products(v128.load(codesAt, 96), lowMask, high, mixed));
      sum3 = i32x4.add(sum3, products(v128.load(codesAt, 112), lowMask, high, mixed));
    }
    v128.store(partial, sum0);
    v128.store(partial, sum1, 16);
    v128.store(partial, sum2, 32);
    v128.store(partial, sum3, 48);
    const ub0 = upper(sum0, fact, 32, scale, errorFactor, tailFactor, constant);
    const ub1 = upper(sum1, fact + 64, 32, scale, errorFactor, tailFactor, constant);
    const ub2 = upper(sum2, fact + 128, 32, scale, errorFactor, tailFactor, constant);
    const ub3 = upper(sum3, fact + 192, 32, scale, errorFactor, tailFactor, constant);
    v128.store(ub, ub0);
    v128.store(ub, ub1, 16);
    v128.store(ub, ub2, 32);
    v128.store(ub, ub3, 48);
    most = f32x4.pmax(f32x4.pmax(f32x4.pmax(f32x4.pmax(most, ub0), ub1), ub2), ub3);
    partial += 64;
    ub += 64;
    fact += 256;
  }
  return mostOfLanes(most);
}

/** scale·sum + error·errorFactor + tail·tailFactor + constant, for the four rows of a group. */
function upper(
  sum: v128,
  fact: usize,
  tailOffset: usize,
  scale: v128,
  errorFactor: v128,
  tailFactor: v128,
  constant: v128,
): v128 {
  const product = f32x4.mul(f32x4.convert_i32x4_s(sum), f32x4.mul(v128.load(fact), scale));
  const error = f32x4.mul(v128.load(fact, 16), errorFactor);
  const tail = f32x4.mul(v128.load(fact + tailOffset), tailFactor);
  return f32x4.add(f32x4.add(product, error), f32x4.add(tail, constant));
}

/**
 * Adds the second plane's products to the sums of the first, for the groups of a block that bits 0
 * to 3 select. Returns the bits of the rows whose bound reaches the threshold; with `isUnchecked`,
 * the bits of all rows.
 */
export function boundMiddle(first: i32, groups: i32, isUnchecked: bool): i32 {
  const query = factors + PREFIX0 * FACTOR_BYTES;
  const plane = plane1 + <usize>first * width1();
  addRows(plane, query, width1(), offset1, partialSums + (first << 2), groups);
  return isUnchecked ? 0xffff : reaching(first, groups, false);
}

/** Like {@link boundMiddle}, but with all coordinates; call it afterwards. */
export function boundWhole(first: i32, groups: i32): i32 {
  const query = factors + PREFIX1 * FACTOR_BYTES;
  addRows(plane2 + <usize>first * width2(), query, width2(), offset2, sums, groups);
  return reaching(first, groups, true);
}

/**
 * Adds a plane's products to the sums of the selected groups, and leaves the sums in the workspace.
 */
function addRows(
  plane: usize,
  query: usize,
  width: i32,
  less: i32,
  from: usize,
  groups: i32,
): void {
  if (popcnt(groups) > 2) {
    addBlock(plane, query, width, less, from, sums);
    return;
  }
  for (; groups !== 0; groups &= groups - 1) {
    const at = (<usize>ctz(groups)) << 4;
    addGroup(plane + at, query, width, less, from + at, sums + at);
  }
}

/** Returns the bits of the rows in the selected groups whose bound reaches the threshold. */
function reaching(first: i32, groups: i32, isWhole: bool): i32 {
  let alive = 0;
  for (; groups !== 0; groups &= groups - 1) {
    const group = ctz(groups);
    const bound = groupBounds(first, group, isWhole);
    alive |= i32x4.bitmask(f32x4.ge(bound, f32x4.splat(threshold))) << (group << 2);
  }
  return alive;
}

/** Computes the bounds of the four rows of a group from the sums in the workspace. */
export function groupBounds(first: i32, group: i32, isWhole: bool): v128 {
  return upper(
    v128.load(sums + (group << 4)),
    facts + ((first + (group << 2)) << 4),
    48,
    f32x4.splat(queryScale),
    f32x4.splat(isWhole ? errorFactor2 : errorFactor1),
    f32x4.splat(isWhole ? 0 : tail1),
    f32x4.splat(slack),
  );
}
