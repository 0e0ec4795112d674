// An orthogonal map that spreads every vector evenly over its coordinates: random signs and a
// Hadamard transform of the last `block` coordinates, then the same for the first `block`. The two
// overlap, so that every coordinate is mixed at any length. docs/error-bound.md covers its
// rounding.

/**
 * Rotates `length` float32 values to `target`; `signs` contains `length` and then `block` factors.
 */
export function rotate(source: usize, length: i32, block: i32, signs: usize, target: usize): void {
  multiply(source, signs, length, target);
  hadamard(target + ((length - block) << 2), block);
  multiply(target, signs + (length << 2), block, target);
  hadamard(target, block);
}

function multiply(source: usize, factors: usize, length: i32, target: usize): void {
  for (let at: usize = 0, end = <usize>(length << 2); at < end; at += 16) {
    v128.store(target + at, f32x4.mul(v128.load(source + at), v128.load(factors + at)));
  }
}

/** Transforms in place, without scaling. `length` is a power of two, at least 64. */
function hadamard(values: usize, length: i32): void {
  const bytes = <usize>(length << 2);
  for (let at = values, end = values + bytes; at < end; at += 16) {
    v128.store(at, hadamard4(v128.load(at)));
  }
  let stride: usize = 16;
  // Computes two stages at a time while both fit, so that each value is loaded half as often.
  for (; stride << 2 <= bytes; stride <<= 2) {
    for (let start = values, end = values + bytes; start < end; start += stride << 2) {
      for (let at = start, stop = start + stride; at < stop; at += 16) {
        fourWay(at, stride);
      }
    }
  }
  if (stride << 1 <= bytes) {
    for (let at = values, stop = values + stride; at < stop; at += 16) {
      const a = v128.load(at);
      const b = v128.load(at + stride);
      v128.store(at, f32x4.add(a, b));
      v128.store(at + stride, f32x4.sub(a, b));
    }
  }
}

function fourWay(at: usize, stride: usize): void {
  const a = v128.load(at);
  const b = v128.load(at + stride);
  const c = v128.load(at + (stride << 1));
  const d = v128.load(at + (stride << 1) + stride);
  const ab = f32x4.add(a, b);
  const a_b = f32x4.sub(a, b);
  const cd = f32x4.add(c, d);
  const c_d = f32x4.sub(c, d);
  v128.store(at, f32x4.add(ab, cd));
  v128.store(at + stride, f32x4.add(a_b, c_d));
  v128.store(at + (stride << 1), f32x4.sub(ab, cd));
  v128.store(at + (stride << 1) + stride, f32x4.sub(a_b, c_d));
}

function hadamard4(v: v128): v128 {
  const swapped = v128.shuffle<i32>(v, v, 1, 0, 3, 2);
  const pairs = v128.shuffle<i32>(f32x4.add(v, swapped), f32x4.sub(v, swapped), 0, 4, 2, 6);
  const others = v128.shuffle<i32>(pairs, pairs, 2, 3, 0, 1);
  return v128.shuffle<i32>(f32x4.add(pairs, others), f32x4.sub(pairs, others), 0, 1, 4, 5);
}
