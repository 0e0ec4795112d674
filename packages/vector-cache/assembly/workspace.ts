// The stages of the current vector: as given, scaled, rotated, and as codes.
import { scaleTo, sumOfSquares, widen } from './unit';

export let length: i32 = 0;
/** Number of coordinates of one Hadamard transform: the greatest power of two up to the length. */
export let rotationBlock: i32 = 0;
export let input: usize = 0;
export let singleInput: usize = 0;
export let unit: usize = 0;
export let rotated: usize = 0;
export let codes: usize = 0;
export let factors: usize = 0;
export let signs: usize = 0;
export let sums: usize = 0;
/** Has 255 in every int16 lane. */
export let mask: usize = 0;

/** Selects the workspace for vectors of `size` values. */
export function bind(workspace: usize, size: i32): void {
  length = size;
  rotationBlock = 1 << (31 - clz(size));
  input = workspace;
  singleInput = input + (size << 3);
  unit = singleInput + (size << 2);
  rotated = unit + (size << 2);
  codes = rotated + (size << 2);
  factors = codes + size;
  signs = factors + (size << 3);
  sums = signs + (size << 3);
  mask = sums + 64;
  v128.store(mask, i16x8.splat(255));
}

/**
 * Scales the input to a unit vector; with `isSingle` the float32 input. Returns the sum of squares,
 * which shows whether the input was in range.
 */
export function normalize(isSingle: bool): f64 {
  if (isSingle) widen(singleInput, length, input);
  const squares = sumOfSquares(input, length);
  scaleTo(input, length, squares === 0 ? 0 : 1 / Math.sqrt(squares), unit);
  return squares;
}
