import { checkFinite, copyVector } from './vector-input.ts';

// Between these the squares of all components that matter are neither lost nor infinite.
const SAFE_MIN = 1e-200;
const SAFE_MAX = 1e200;

/**
 * Length of vectors inside the cache: `dimensions` rounded up to a multiple of 8. The components
 * added are zero and change no product.
 */
export function paddedLength(dimensions: number): number {
  return Math.ceil(dimensions / 8) * 8;
}

/**
 * Writes a caller's vector, scaled to length 1, into `unit`. The norm is taken in float64, of a
 * copy scaled by its greatest component where squares would overflow or vanish; each component is
 * rounded to float32 once.
 *
 * @param scratch - `[paddedLength]`, overwritten up to `dimensions`; zeros beyond.
 * @param unit - `[paddedLength]`, overwritten; all zeros for a zero vector.
 * @throws as {@link copyVector}, and InvalidValueError when a component is NaN or infinite.
 */
export function toUnitVector(
  subject: string,
  vector: ArrayLike<number>,
  dimensions: number,
  scratch: Float64Array,
  unit: Float32Array,
): void {
  copyVector(subject, vector, dimensions, scratch);
  let squares = sumOfSquares(scratch);
  if (!isSafe(squares)) {
    scaleIntoRange(subject, scratch, dimensions);
    squares = sumOfSquares(scratch);
  }
  const inverse = squares === 0 ? 0 : 1 / Math.sqrt(squares);
  for (let index = 0; index < scratch.length; index++) {
    unit[index] = (scratch[index] as number) * inverse;
  }
}

/** Whether a sum of squares can be trusted; if not, see {@link scaleIntoRange}. NaN is not safe. */
export function isSafe(squares: number): boolean {
  return squares >= SAFE_MIN && squares <= SAFE_MAX;
}

/**
 * Divides by the greatest magnitude, so that it becomes 1; zeros are left alone.
 *
 * @throws InvalidValueError when a component is NaN or infinite.
 */
export function scaleIntoRange(subject: string, values: Float64Array, dimensions: number): void {
  checkFinite(subject, values, dimensions);
  let greatest = 0;
  for (let index = 0; index < dimensions; index++) {
    const magnitude = Math.abs(values[index] as number);
    if (magnitude > greatest) greatest = magnitude;
  }
  if (greatest === 0) return;
  for (let index = 0; index < dimensions; index++) {
    values[index] = (values[index] as number) / greatest;
  }
}

function sumOfSquares(values: Float64Array): number {
  let sum0 = 0;
  let sum1 = 0;
  let sum2 = 0;
  let sum3 = 0;
  for (let index = 0; index < values.length; index += 4) {
    const a = values[index] as number;
    const b = values[index + 1] as number;
    const c = values[index + 2] as number;
    const d = values[index + 3] as number;
    sum0 += a * a;
    sum1 += b * b;
    sum2 += c * c;
    sum3 += d * d;
  }
  return sum0 + sum2 + (sum1 + sum3);
}
