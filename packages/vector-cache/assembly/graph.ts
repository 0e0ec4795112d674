// The similarities of all pairs of rows of two blocks: whole numbers first, which leave out most
// pairs, then exactly. Exact products are those of scan.ts to the last bit: eight sums, component i in
// sum i mod 8; the even chunks of four components make four of them, the odd chunks the others.
//
// A block of rows of L values, of which L is a multiple of 8, in groups of four rows:
//   values  float32 L a row   in a group the even chunks, r0[0..3] r1[0..3] r2[0..3] r3[0..3]
//                             r0[8..11] …, and then the odd ones
//   codes   int16 L a row     r0[0..7] r1[0..7] r2[0..7] r3[0..7] r0[8..15] …
// and the hits of a block with room for R rows:
//   float32 threshold of each row, what a similarity must reach; int32 the same for sums of codes;
//   int32 number of hits of each row; for each row room for `limit` hits, a heap of hits.ts
//
// Two rows of one block meet a group of the other at a time: eight sums stay in registers, and six
// loads serve eight products. docs/error-bound.md says why no pair is left out wrongly.
import { hitCount, offer, resumeHits, threshold } from './hits';
import { leastOwnProduct, sumOfLanes, sumsOfLanes } from './unit';

/** The code of a component of 1; the sum of two products of such codes is less than 2³¹. */
const CODE_ONE: f32 = 32000;
// Eight sums of even chunks, then eight of odd ones. Only this module uses addresses below 1,024.
const SUMS: usize = 256;
const PRODUCTS: usize = 512;

let length: i32 = 0;
let limit: i32 = 0;
let capacity: i32 = 0;
let slack: f64 = 0;
let ownProduct: f32 = 0;

/** Sets the number of values per row, of hits to keep per row, and of rows per block. */
export function begin(valuesOfRow: i32, hitsOfRow: i32, rowsOfBlock: i32): void {
  length = valuesOfRow;
  limit = hitsOfRow;
  capacity = rowsOfBlock;
  ownProduct = leastOwnProduct(length);
  const error = (0.51 * Math.sqrt(<f64>length)) / <f64>CODE_ONE;
  slack = 2.001 * error + 3 * error * error + <f64>((length >> 3) + 8) * 6.3e-8;
}

/** Writes the codes of `groups` groups of rows. */
export function encode(values: usize, groups: i32, codes: usize): void {
  const half = <usize>(length << 3);
  const one = f32x4.splat(CODE_ONE);
  for (; groups > 0; groups--, values += half) {
    for (const end = values + half; values < end; values += 16, codes += 16) {
      const even = f32x4.nearest(f32x4.mul(v128.load(values), one));
      const odd = f32x4.nearest(f32x4.mul(v128.load(values + half), one));
      const low = i32x4.trunc_sat_f32x4_s(even);
      const high = i32x4.trunc_sat_f32x4_s(odd);
      v128.store(codes, i16x8.narrow_i32x4_s(low, high));
    }
  }
}

/** Resets the hits of a block whose thresholds have been written. */
export function beginHitsOf(hits: usize): void {
  for (let row = 0; row < capacity; row++) {
    const at = hits + (row << 2);
    store<i32>(at + (capacity << 2), leastSum(load<f32>(at)));
    store<i32>(at + (capacity << 3), 0);
  }
}

/**
 * Offers the similarity of each row of block a and each row in `[from, to)` of block b to both
 * rows; if both are the same block, each pair once. `from` is a multiple of four. Hits identify a
 * row by its position in the block plus `baseA` or `baseB`.
 */
export function pairs(
  valuesA: usize,
  codesA: usize,
  hitsA: usize,
  countA: i32,
  baseA: i32,
  valuesB: usize,
  codesB: usize,
  hitsB: usize,
  from: i32,
  to: i32,
  baseB: i32,
): void {
  const isSame = valuesA === valuesB;
  const groupBytes = <usize>(length << 3);
  const leastA = hitsA + (capacity << 2);
  const leastB = hitsB + (capacity << 2);
  for (let row = 0; row < countA; row += 2) {
    const rows = codesA + <usize>(row >> 2) * groupBytes + ((row & 2) << 4);
    for (let first = isSame ? max(from, row & ~3) : from; first < to; first += 4) {
      addProducts<i32>(rows, codesB + <usize>(first >> 2) * groupBytes, groupBytes, SUMS);
      const sums0 = foldCodes(SUMS);
      const sums1 = foldCodes(SUMS + 64);
      const least = v128.load(leastB + (first << 2));
      const least0 = i32x4.min_s(least, v128.load32_splat(leastA + (row << 2)));
      const least1 = i32x4.min_s(least, v128.load32_splat(leastA + (row << 2), 4));
      const isHit0 = i32x4.ge_s(sums0, least0);
      const isHit1 = i32x4.ge_s(sums1, least1);
      if (!v128.any_true(v128.or(isHit0, isHit1))) continue;
      const lanes = i32x4.bitmask(isHit0) | (i32x4.bitmask(isHit1) << 4);
      multiply(valuesA, row, valuesB, first, lanes);
      for (let left = lanes; left !== 0; left &= left - 1) {
        const lane = ctz(left);
        const mine = row + (lane >> 2);
        const other = first + (lane & 3);
        if (mine >= countA || other >= to || (isSame && other <= mine)) continue;
        let similarity = load<f32>(PRODUCTS + (lane << 2));
        if (similarity >= ownProduct && isEqual(rowAt(valuesA, mine), rowAt(valuesB, other))) {
          similarity = 1;
        }
        offerTo(hitsA, mine, baseB + other, similarity);
        offerTo(hitsB, other, baseA + mine, similarity);
      }
    }
  }
}

/**
 * Returns the address of a row's even chunks, which are 64 bytes apart; its odd ones follow half a
 * group later.
 */
function rowAt(values: usize, row: i32): usize {
  return values + <usize>(row >> 2) * <usize>(length << 4) + ((row & 3) << 4);
}

function isEqual(row: usize, other: usize): bool {
  const half = <usize>(length << 3);
  for (const end = row + half; row < end; row += 64, other += 64) {
    const even = f32x4.ne(v128.load(row), v128.load(other));
    const odd = f32x4.ne(v128.load(row + half), v128.load(other + half));
    if (v128.any_true(v128.or(even, odd))) return false;
  }
  return true;
}

/**
 * Writes the sums of the products of two rows with four: eight vectors of four lanes. Codes (i32)
 * are laid out as `encode` writes them; for values (f32) it adds one half of the chunks.
 */
function addProducts<T>(rows: usize, group: usize, bytes: usize, to: usize): void {
  let s00 = i32x4.splat(0);
  let s01 = s00;
  let s02 = s00;
  let s03 = s00;
  let s10 = s00;
  let s11 = s00;
  let s12 = s00;
  let s13 = s00;
  for (const end = group + bytes; group < end; group += 64, rows += 64) {
    const row0 = v128.load(rows);
    const row1 = v128.load(rows, 16);
    const other0 = v128.load(group);
    const other1 = v128.load(group, 16);
    const other2 = v128.load(group, 32);
    const other3 = v128.load(group, 48);
    s00 = addProduct<T>(s00, row0, other0);
    s01 = addProduct<T>(s01, row0, other1);
    s02 = addProduct<T>(s02, row0, other2);
    s03 = addProduct<T>(s03, row0, other3);
    s10 = addProduct<T>(s10, row1, other0);
    s11 = addProduct<T>(s11, row1, other1);
    s12 = addProduct<T>(s12, row1, other2);
    s13 = addProduct<T>(s13, row1, other3);
  }
  storeSums(to, s00, s01, s02, s03);
  storeSums(to + 64, s10, s11, s12, s13);
}

function addProduct<T>(sum: v128, a: v128, b: v128): v128 {
  return isFloat<T>() ? f32x4.add(sum, f32x4.mul(a, b)) : i32x4.add(sum, i32x4.dot_i16x8_s(a, b));
}

function storeSums(to: usize, s0: v128, s1: v128, s2: v128, s3: v128): void {
  v128.store(to, s0);
  v128.store(to, s1, 16);
  v128.store(to, s2, 32);
  v128.store(to, s3, 48);
}

/** Sums the lanes of each of the four vectors at `at`. */
function foldCodes(at: usize): v128 {
  const s0 = v128.load(at);
  const s1 = v128.load(at, 16);
  const s2 = v128.load(at, 32);
  const s3 = v128.load(at, 48);
  const pairs01 = i32x4.add(
    v128.shuffle<i32>(s0, s1, 0, 4, 1, 5),
    v128.shuffle<i32>(s0, s1, 2, 6, 3, 7),
  );
  const pairs23 = i32x4.add(
    v128.shuffle<i32>(s2, s3, 0, 4, 1, 5),
    v128.shuffle<i32>(s2, s3, 2, 6, 3, 7),
  );
  return i32x4.add(
    v128.shuffle<i64>(pairs01, pairs23, 0, 2),
    v128.shuffle<i64>(pairs01, pairs23, 1, 3),
  );
}

/** Writes the exact products of two rows with four to `PRODUCTS`, at least those in `lanes`. */
function multiply(valuesA: usize, row: i32, valuesB: usize, first: i32, lanes: i32): void {
  const half = <usize>(length << 3);
  const rows = valuesA + <usize>(row >> 2) * (half << 1) + ((row & 2) << 4);
  const group = valuesB + <usize>(first >> 2) * (half << 1);
  if (popcnt(lanes) < 3) {
    for (; lanes !== 0; lanes &= lanes - 1) {
      const lane = ctz(lanes);
      const product = rowProduct(rows + ((lane >> 2) << 4), group + ((lane & 3) << 4), half);
      store<f32>(PRODUCTS + (lane << 2), max<f32>(-1, min<f32>(1, product)));
    }
    return;
  }
  addProducts<f32>(rows, group, half, SUMS);
  addProducts<f32>(rows + half, group + half, half, SUMS + 128);
  v128.store(PRODUCTS, foldProducts(SUMS));
  v128.store(PRODUCTS, foldProducts(SUMS + 64), 16);
}

function rowProduct(row: usize, other: usize, half: usize): f32 {
  let even = f32x4.splat(0);
  let odd = f32x4.splat(0);
  for (const end = row + half; row < end; row += 64, other += 64) {
    even = f32x4.add(even, f32x4.mul(v128.load(row), v128.load(other)));
    odd = f32x4.add(odd, f32x4.mul(v128.load(row + half), v128.load(other + half)));
  }
  return sumOfLanes(f32x4.add(even, odd));
}

/** Returns the four products whose sums are at `at` and 128 bytes later, clamped to [-1, 1]. */
function foldProducts(at: usize): v128 {
  const products = sumsOfLanes(
    f32x4.add(v128.load(at), v128.load(at, 128)),
    f32x4.add(v128.load(at, 16), v128.load(at, 144)),
    f32x4.add(v128.load(at, 32), v128.load(at, 160)),
    f32x4.add(v128.load(at, 48), v128.load(at, 176)),
  );
  return f32x4.max(f32x4.splat(-1), f32x4.min(f32x4.splat(1), products));
}

/** Keeps a hit of a row of a block if it reaches the row's threshold. */
function offerTo(hits: usize, row: i32, position: i32, similarity: f32): void {
  const at = hits + (row << 2);
  const least = load<f32>(at);
  if (!(similarity >= least)) return;
  const count = at + (capacity << 3);
  const heap = hits + <usize>(capacity * 12) + <usize>row * (limit << 3);
  resumeHits(heap, limit, load<i32>(count), least);
  offer(position, similarity);
  store<i32>(count, hitCount());
  store<f32>(at, threshold);
  store<i32>(at + (capacity << 2), leastSum(threshold));
}

/** Returns a lower bound of the code sum of a pair with the similarity `least`. */
function leastSum(least: f32): i32 {
  const sum = Math.floor((<f64>least - slack) * <f64>CODE_ONE * <f64>CODE_ONE);
  return <i32>max<f64>(-2147483648, min<f64>(2147483647, sum));
}
