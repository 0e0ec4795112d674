// Scaling to length 1, in float64, bit-identical to src/vector-input.ts; and sums of a vector's
// lanes.

/** Writes `length` float32 values at `input`, as float64, to `target`. */
export function widen(input: usize, length: i32, target: usize): void {
  for (let i = 0; i < length; i += 4) {
    const values = v128.load(input + (i << 2));
    const high = v128.shuffle<i32>(values, values, 2, 3, 2, 3);
    v128.store(target + (i << 3), f64x2.promote_low_f32x4(values));
    v128.store(target + (i << 3), f64x2.promote_low_f32x4(high), 16);
  }
}

/** Returns the sum of squares of `length` float64 values, with four partial sums, lanes i mod 4. */
export function sumOfSquares(values: usize, length: i32): f64 {
  let low = f64x2.splat(0);
  let high = f64x2.splat(0);
  for (let i = 0; i < length; i += 4) {
    const a = v128.load(values + (i << 3));
    const b = v128.load(values + (i << 3), 16);
    low = f64x2.add(low, f64x2.mul(a, a));
    high = f64x2.add(high, f64x2.mul(b, b));
  }
  const sum = f64x2.add(low, high);
  return f64x2.extract_lane(sum, 0) + f64x2.extract_lane(sum, 1);
}

/** Sums four float32 lanes, in pairs of neighbours. */
export function sumOfLanes(lanes: v128): f32 {
  const low = f32x4.extract_lane(lanes, 0) + f32x4.extract_lane(lanes, 1);
  return low + (f32x4.extract_lane(lanes, 2) + f32x4.extract_lane(lanes, 3));
}

/**
 * Returns the least product that a vector of length 1 can have with itself: each component and the
 * `length`/8 + 3 steps of the product are rounded. docs/error-bound.md, "Equal vectors".
 */
export function leastOwnProduct(length: i32): f32 {
  return <f32>(1 - <f64>((length >> 3) + 8) * 6.3e-8);
}

/** Sums of the lanes of each of four float32 vectors, in the same order as {@link sumOfLanes}. */
export function sumsOfLanes(s0: v128, s1: v128, s2: v128, s3: v128): v128 {
  const low01 = v128.shuffle<i32>(s0, s1, 0, 4, 1, 5);
  const high01 = v128.shuffle<i32>(s0, s1, 2, 6, 3, 7);
  const low23 = v128.shuffle<i32>(s2, s3, 0, 4, 1, 5);
  const high23 = v128.shuffle<i32>(s2, s3, 2, 6, 3, 7);
  const low = f32x4.add(
    v128.shuffle<i64>(low01, low23, 0, 2),
    v128.shuffle<i64>(low01, low23, 1, 3),
  );
  const high = f32x4.add(
    v128.shuffle<i64>(high01, high23, 0, 2),
    v128.shuffle<i64>(high01, high23, 1, 3),
  );
  return f32x4.add(low, high);
}

/** Returns the greatest of four float32 lanes. */
export function mostOfLanes(lanes: v128): f32 {
  const low = max(f32x4.extract_lane(lanes, 0), f32x4.extract_lane(lanes, 1));
  return max(low, max(f32x4.extract_lane(lanes, 2), f32x4.extract_lane(lanes, 3)));
}

/** Writes `length` float64 values times `factor`, rounded to float32, to `target`. */
export function scaleTo(values: usize, length: i32, factor: f64, target: usize): void {
  const factors = f64x2.splat(factor);
  for (let i = 0; i < length; i += 4) {
    const low = f32x4.demote_f64x2_zero(f64x2.mul(v128.load(values + (i << 3)), factors));
    const high = f32x4.demote_f64x2_zero(f64x2.mul(v128.load(values + (i << 3), 16), factors));
    v128.store(target + (i << 2), v128.shuffle<i32>(low, high, 0, 1, 4, 5));
  }
}
