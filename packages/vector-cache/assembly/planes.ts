// Dot products of int8 rows with an int8 query. Rows are stored in blocks of sixteen. For each four
// coordinates a block has 64 bytes, four of each row in turn, so that a lane of a product belongs
// to one row and lanes never have to be summed.
//
// Two codes share an int16 lane v = 256·high + low, where low is stored as code + 128, without a
// sign. For a query's codes a and b, v·b + low·(256·a - b) = 256·(low·a + high·b): one mask splits
// the lane instead of two widenings. So sums are 256 times their actual value; intermediate sums
// may wrap, but the final ones fit (docs/error-bound.md). The mask and the query's factors are
// loaded from memory as whole vectors, because engines create a constant or a broadcast again at
// every use.
import { mask } from './workspace';

/** Bytes of factors for each coordinate. */
export const FACTOR_BYTES: i32 = 8;
/** The amount that the + 128 of the low codes adds to a sum over the last encoded coordinates. */
export let offset: i32 = 0;

/** Converts `width` int8 codes of a query to factors for the sums below. */
export function encodeQuery(codes: usize, width: i32, factors: usize): void {
  let lows = i32x4.splat(0);
  const ones = i16x8.splat(1);
  for (const end = codes + width; codes < end; codes += 8, factors += 64) {
    const pairs = v128.load64_zero(codes);
    const low = i16x8.shr_s(i16x8.shl(pairs, 8), 8);
    const high = i16x8.shr_s(pairs, 8);
    const mixed = i16x8.sub(i16x8.shl(low, 8), high);
    lows = i32x4.add(lows, i32x4.dot_i16x8_s(low, ones));
    v128.store(factors, i32x4.splat(i32x4.extract_lane(high, 0)));
    v128.store(factors, i32x4.splat(i32x4.extract_lane(mixed, 0)), 16);
    v128.store(factors, i32x4.splat(i32x4.extract_lane(high, 1)), 32);
    v128.store(factors, i32x4.splat(i32x4.extract_lane(mixed, 1)), 48);
  }
  offset = 32768 * (i32x4.extract_lane(lows, 0) + i32x4.extract_lane(lows, 1));
}

/**
 * Adds the products of a block's rows to the sixteen int32 at `from`, subtracts `less`, and writes
 * the results to `to`.
 */
export function addBlock(
  block: usize,
  factors: usize,
  width: i32,
  less: i32,
  from: usize,
  to: usize,
): void {
  const start = i32x4.splat(less);
  let sum0 = i32x4.sub(v128.load(from), start);
  let sum1 = i32x4.sub(v128.load(from, 16), start);
  let sum2 = i32x4.sub(v128.load(from, 32), start);
  let sum3 = i32x4.sub(v128.load(from, 48), start);
  const lowMask = v128.load(mask);
  for (const end = factors + (width << 3); factors < end; factors += 64, block += 128) {
    let high = v128.load(factors);
    let mixed = v128.load(factors, 16);
    sum0 = i32x4.add(sum0, products(v128.load(block), lowMask, high, mixed));
    sum1 = i32x4.add(sum1, products(v128.load(block, 16), lowMask, high, mixed));
    sum2 = i32x4.add(sum2, products(v128.load(block, 32), lowMask, high, mixed));
    sum3 = i32x4.add(sum3, products(v128.load(block, 48), lowMask, high, mixed));
    high = v128.load(factors, 32);
    mixed = v128.load(factors, 48);
    sum0 = i32x4.add(sum0, products(v128.load(block, 64), lowMask, high, mixed));
    sum1 = i32x4.add(sum1, products(v128.load(block, 80), lowMask, high, mixed));
    sum2 = i32x4.add(sum2, products(v128.load(block, 96), lowMask, high, mixed));
    sum3 = i32x4.add(sum3, products(v128.load(block, 112), lowMask, high, mixed));
  }
  v128.store(to, sum0);
  v128.store(to, sum1, 16);
  v128.store(to, sum2, 32);
  v128.store(to, sum3, 48);
}

/** The same for one group of four rows: `group` points at its first bytes in the block. */
export function addGroup(
  group: usize,
  factors: usize,
  width: i32,
  less: i32,
  from: usize,
  to: usize,
): void {
  let sum = i32x4.sub(v128.load(from), i32x4.splat(less));
  const lowMask = v128.load(mask);
  for (const end = factors + (width << 3); factors < end; factors += 32, group += 64) {
    const factor = v128.load(factors);
    sum = i32x4.add(sum, products(v128.load(group), lowMask, factor, v128.load(factors, 16)));
  }
  v128.store(to, sum);
}

/** Multiplies four coordinates of four rows; each lane is 256 times the sum of one row. */
export function products(rows: v128, lowMask: v128, high: v128, mixed: v128): v128 {
  return i32x4.add(
    i32x4.dot_i16x8_s(rows, high),
    i32x4.dot_i16x8_s(v128.and(rows, lowMask), mixed),
  );
}

/** Distributes `width` codes of a row over its block; `place` is the address of the first one. */
export function scatterRow(codes: usize, width: i32, place: usize): void {
  for (const end = codes + width; codes < end; codes += 4, place += 64) {
    store<u32>(place, load<u32>(codes) ^ 0x0080_0080);
  }
}
