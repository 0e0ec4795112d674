import { InvalidTypeError, InvalidValueError } from '@kp/foundation';
import { DimensionMismatchError } from './errors.ts';
import { checkType } from './options.ts';

/** A vector as read from the caller; reading its components runs no code of the caller. */
export type Values = Float32Array | Float64Array;

// The sum of squares of a vector is exact enough between these bounds: outside them, squares of
// components that matter vanish or overflow.
const SAFE_MIN = 1e-200;
const SAFE_MAX = 1e200;

// The accessors of typed arrays, which work across realms and which a subclass cannot override.
const typedArray = Object.getPrototypeOf(Uint8Array.prototype) as object;
const kindGetter = getterOf(Symbol.toStringTag);
const lengthGetter = getterOf('length');

/**
 * Returns the class name, such as `'Float32Array'`; undefined unless the value is a typed array.
 */
export function typedArrayKind(value: unknown): string | undefined {
  return kindGetter.call(value) as string | undefined;
}

/** The length of a typed array, even if the array or its class overrides `length`. */
export function trueLength(values: unknown): number {
  return lengthGetter.call(values) as number;
}

/**
 * Reads each component of a caller's vector once, because an accessor may return another value the
 * second time. Accepts NaN and infinities: {@link checkFinite} runs only when the norm is not finite.
 *
 * @param subject - name of the argument in error messages.
 * @returns a `Float32Array` itself, otherwise a copy.
 * @throws {@link InvalidTypeError} when `vector` is not an array of numbers.
 * @throws {@link DimensionMismatchError} when its length is not `dimensions`.
 */
export function readVector(subject: string, vector: ArrayLike<number>, dimensions: number): Values {
  const kind = typedArrayKind(vector);
  const isObject = typeof vector === 'object' && vector !== null;
  const length: unknown = kind === undefined ? isObject && vector.length : trueLength(vector);
  if (typeof length !== 'number' || kind?.startsWith('Big')) {
    throw new InvalidTypeError(subject, 'an array of numbers', vector);
  }
  checkLength(subject, length, dimensions);
  if (kind === 'Float32Array') return vector as Float32Array;
  const values = new Float64Array(dimensions);
  if (kind !== undefined) {
    values.set(vector);
    return values;
  }
  for (let index = 0; index < dimensions; index++) {
    const value: unknown = vector[index];
    checkType(`${subject}[${index}]`, value, 'number');
    values[index] = value as number;
  }
  return values;
}

/** @throws {@link DimensionMismatchError} if a vector has a different length. */
export function checkLength(subject: string, length: number, dimensions: number): void {
  if (length !== dimensions) throw new DimensionMismatchError(subject, dimensions, length);
}

/** @throws {@link InvalidValueError} naming the first component that is NaN or infinite. */
export function checkFinite(subject: string, vector: Values, dimensions: number): void {
  for (let index = 0; index < dimensions; index++) {
    const value = vector[index];
    if (!Number.isFinite(value)) {
      throw new InvalidValueError(`${subject}[${index}]`, 'a finite number', value);
    }
  }
}

/**
 * Length of vectors inside the cache: `dimensions` rounded up to a multiple of 8. The additional
 * components are zero and change no product.
 */
export function paddedLength(dimensions: number): number {
  return Math.ceil(dimensions / 8) * 8;
}

/**
 * The vector scaled to length 1 and padded. The norm is computed in float64, from a copy divided by
 * its greatest component where squares would overflow or vanish; each component is rounded to
 * float32 once. All zeros stay zeros.
 *
 * @throws {@link InvalidValueError} when a component is NaN or infinite.
 */
export function toUnitVector(subject: string, vector: Values, dimensions: number): Float32Array {
  let values = vector;
  let squares = sumOfSquares(values, 0, dimensions);
  if (!isSafe(squares)) {
    values = Float64Array.from(vector);
    scaleIntoRange(subject, values, dimensions);
    squares = sumOfSquares(values, 0, dimensions);
  }
  const inverse = squares === 0 ? 0 : 1 / Math.sqrt(squares);
  const unit = new Float32Array(paddedLength(dimensions));
  for (let index = 0; index < dimensions; index++) unit[index] = values[index] * inverse;
  return unit;
}

/** Whether a sum of squares is exact enough to scale by; if not, use {@link scaleIntoRange}. */
export function isSafe(squares: number): boolean {
  return squares >= SAFE_MIN && squares <= SAFE_MAX;
}

/**
 * Divides by the greatest magnitude, so that it becomes 1; zeros are left alone.
 *
 * @throws {@link InvalidValueError} when a component is NaN or infinite.
 */
export function scaleIntoRange(subject: string, values: Float64Array, dimensions: number): void {
  checkFinite(subject, values, dimensions);
  let greatest = 0;
  for (let index = 0; index < dimensions; index++) {
    const magnitude = Math.abs(values[index]);
    if (magnitude > greatest) greatest = magnitude;
  }
  if (greatest === 0) return;
  for (let index = 0; index < dimensions; index++) {
    values[index] = values[index] / greatest;
  }
}

/**
 * Sum of the squares in `[start, end)`, in float64: four partial sums, component i in sum i mod 4,
 * as the kernel computes it.
 */
export function sumOfSquares(values: Values, start: number, end: number): number {
  let sum0 = 0;
  let sum1 = 0;
  let sum2 = 0;
  let sum3 = 0;
  let index = start;
  for (; index < end - 3; index += 4) {
    sum0 += values[index] * values[index];
    sum1 += values[index + 1] * values[index + 1];
    sum2 += values[index + 2] * values[index + 2];
    sum3 += values[index + 3] * values[index + 3];
  }
  if (index < end) sum0 += values[index] ** 2;
  if (index + 1 < end) sum1 += values[index + 1] ** 2;
  if (index + 2 < end) sum2 += values[index + 2] ** 2;
  return sum0 + sum2 + (sum1 + sum3);
}

function getterOf(name: PropertyKey): () => unknown {
  return (Object.getOwnPropertyDescriptor(typedArray, name) as { get: () => unknown }).get;
}
