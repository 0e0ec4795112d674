// The exact scan: float32 dot products in the order src/similarity.ts defines, four rows at once.
// Rows are stored in groups of four, interleaved in 16-byte chunks: r0[0..3] r1[0..3] r2[0..3]
// r3[0..3] r0[4..7] …. So memory is read sequentially, and a load of the query serves four rows.

import { gate, offer, threshold } from './hits';
import { leastOwnProduct, sumOfLanes, sumsOfLanes } from './unit';

/** Computes the dot products of the four rows of the group at `rows` with `query`. */
export function groupProducts(rows: usize, query: usize, length: i32): v128 {
  let even0 = f32x4.splat(0);
  let even1 = f32x4.splat(0);
  let even2 = f32x4.splat(0);
  let even3 = f32x4.splat(0);
  let odd0 = f32x4.splat(0);
  let odd1 = f32x4.splat(0);
  let odd2 = f32x4.splat(0);
  let odd3 = f32x4.splat(0);
  for (const end = query + (length << 2); query < end; query += 32, rows += 128) {
    const even = v128.load(query);
    even0 = f32x4.add(even0, f32x4.mul(v128.load(rows), even));
    even1 = f32x4.add(even1, f32x4.mul(v128.load(rows, 16), even));
    even2 = f32x4.add(even2, f32x4.mul(v128.load(rows, 32), even));
    even3 = f32x4.add(even3, f32x4.mul(v128.load(rows, 48), even));
    const odd = v128.load(query, 16);
    odd0 = f32x4.add(odd0, f32x4.mul(v128.load(rows, 64), odd));
    odd1 = f32x4.add(odd1, f32x4.mul(v128.load(rows, 80), odd));
    odd2 = f32x4.add(odd2, f32x4.mul(v128.load(rows, 96), odd));
    odd3 = f32x4.add(odd3, f32x4.mul(v128.load(rows, 112), odd));
  }
  return sumsOfLanes(
    f32x4.add(even0, odd0),
    f32x4.add(even1, odd1),
    f32x4.add(even2, odd2),
    f32x4.add(even3, odd3),
  );
}

/**
 * Computes the dot product of one row of a group, bit-identical to {@link groupProducts}; `row` is
 * the address of its first chunk.
 */
export function rowProduct(row: usize, query: usize, length: i32): f32 {
  let even = f32x4.splat(0);
  let odd = f32x4.splat(0);
  for (const end = query + (length << 2); query < end; query += 32, row += 128) {
    even = f32x4.add(even, f32x4.mul(v128.load(row), v128.load(query)));
    odd = f32x4.add(odd, f32x4.mul(v128.load(row, 64), v128.load(query, 16)));
  }
  return sumOfLanes(f32x4.add(even, odd));
}

/**
 * Offers a row with its product. Its similarity is the product limited to [-1, 1], or 1 if the row
 * equals the query, because the product of equal vectors may be slightly less.
 */
export function offerRow(position: i32, product: f32, row: usize, query: usize, length: i32): void {
  let similarity = max<f32>(-1, min<f32>(1, product));
  if (similarity >= leastOwnProduct(length) && similarity < 1 && isEqual(row, query, length)) {
    similarity = 1;
  }
  if (similarity >= threshold) offer(position, similarity);
}

function isEqual(row: usize, query: usize, length: i32): bool {
  for (const end = query + (length << 2); query < end; query += 16, row += 64) {
    if (v128.any_true(f32x4.ne(v128.load(row), v128.load(query)))) return false;
  }
  return true;
}

/** Offers the rows of the group at `group` that are in `[from, to)` and reach the gate. */
export function offerGroup(
  products: v128,
  group: usize,
  query: usize,
  length: i32,
  first: i32,
  from: i32,
  to: i32,
  position: i32,
): void {
  for (let row = first; row < first + 4; row++, group += 16) {
    const product = f32x4.extract_lane(products, 0);
    if (row >= from && row < to && product >= gate) {
      offerRow(position + row, product, group, query, length);
    }
    products = v128.shuffle<i32>(products, products, 1, 2, 3, 0);
  }
}

/** Offers each of the rows `[from, to)` at `rows`; row r has the position `position + r`. */
export function scanRows(
  rows: usize,
  query: usize,
  length: i32,
  from: i32,
  to: i32,
  position: i32,
): void {
  const groupBytes = <usize>(length << 4);
  let group = rows + <usize>(from >> 2) * groupBytes;
  for (let first = from & ~3; first < to; first += 4, group += groupBytes) {
    const products = groupProducts(group, query, length);
    if (v128.any_true(f32x4.ge(products, f32x4.splat(gate)))) {
      offerGroup(products, group, query, length, first, from, to, position);
    }
  }
}
