// The rows of one segment: the address of each part, and how to write a row.
import { scatterRow } from './planes';
import {
  codeError,
  codeScale,
  measure,
  PREFIX0,
  PREFIX1,
  quantize,
  tailNorm0,
  tailNorm1,
} from './quantize';
import { rotate } from './rotate';
import { codes, length, rotated, rotationBlock, signs, unit } from './workspace';

const HEAD_BYTES: usize = 64;

export let vectors: usize = 0;
export let plane0: usize = 0;
export let plane1: usize = 0;
export let plane2: usize = 0;
export let facts: usize = 0;
export let bounds: usize = 0;
export let partialSums: usize = 0;

/** Number of coordinates in the second and third plane of rows of `length` values. */
export function width1(): i32 {
  return min(PREFIX1, length) - PREFIX0;
}

export function width2(): i32 {
  return max(0, length - PREFIX1);
}

/**
 * Writes the head of a segment: the next segment in the ring, its number of rows, and its capacity.
 */
export function link(segment: usize, next: usize, rows: i32, capacity: i32): void {
  store<usize>(segment, next);
  store<i32>(segment, rows, 4);
  store<i32>(segment, capacity, 8);
}

export function nextOf(segment: usize): usize {
  return load<usize>(segment);
}

export function rowsOf(segment: usize): i32 {
  return load<i32>(segment, 4);
}

/** Opens a segment: computes the addresses of its parts. */
export function openSegment(segment: usize): void {
  const capacity = <usize>load<i32>(segment, 8);
  vectors = segment + HEAD_BYTES;
  plane0 = vectors + capacity * (length << 2);
  plane1 = plane0 + capacity * PREFIX0;
  plane2 = plane1 + capacity * width1();
  facts = plane2 + capacity * width2();
  bounds = facts + (capacity << 4);
  partialSums = bounds + (capacity << 2);
}

/** Writes the unit vector of the workspace as a row of a segment, with codes unless `isFlat`. */
export function append(segment: usize, row: i32, isFlat: bool): void {
  openSegment(segment);
  let place = placeOf(row);
  for (let at = unit, end = unit + (length << 2); at < end; at += 16, place += 64) {
    v128.store(place, v128.load(at));
  }
  if (isFlat) return;
  rotate(unit, length, rotationBlock, signs, rotated);
  measure(rotated, length);
  quantize(rotated, length, codes);
  const inBlock = (row & 15) << 2;
  const blockStart = <usize>(row & ~15);
  scatterRow(codes, PREFIX0, plane0 + blockStart * PREFIX0 + inBlock);
  scatterRow(codes + PREFIX0, width1(), plane1 + blockStart * width1() + inBlock);
  scatterRow(codes + PREFIX1, width2(), plane2 + blockStart * width2() + inBlock);
  const fact = facts + ((row >> 2) << 6) + ((row & 3) << 2);
  store<f32>(fact, codeScale);
  store<f32>(fact, codeError, 16);
  store<f32>(fact, tailNorm0, 32);
  store<f32>(fact, tailNorm1, 48);
}

/**
 * Excludes a row from all searches: its products and bounds become NaN, which reaches no threshold.
 */
export function erase(segment: usize, row: i32, isFlat: bool): void {
  openSegment(segment);
  store<f32>(placeOf(row), NaN);
  if (!isFlat) store<f32>(facts + ((row >> 2) << 6) + ((row & 3) << 2), NaN);
}

/** Copies a row of a segment to the unit vector of the workspace. */
export function take(segment: usize, row: i32): void {
  openSegment(segment);
  const place = placeOf(row);
  for (let i = 0; i < length; i += 4) v128.store(unit + (i << 2), v128.load(place + (i << 4)));
}

/** Returns the address of a row in the open segment; its chunks of 16 bytes are 64 bytes apart. */
export function placeOf(row: i32): usize {
  return vectors + <usize>(row >> 2) * (length << 4) + ((row & 3) << 4);
}
