import { InvalidTypeError, InvalidValueError } from '@kp/foundation';
import { DimensionMismatchError } from './errors.ts';
import { checkType } from './options.ts';

/** A caller's vector, of which no code of the caller's is left to run. */
export type Values = Float32Array | Float64Array;

// Between these the squares of all components that matter are neither lost nor infinite.
const SAFE_MIN = 1e-200;
const SAFE_MAX = 1e200;

// What a typed array truly is, whichever realm it comes from and whatever a subclass says.
const typedArray = Object.getPrototypeOf(Uint8Array.prototype) as object;
const kindGetter = getterOf(Symbol.toStringTag);
const lengthGetter = getterOf('length');

/** Such as `'Float32Array'`; undefined for what is no typed array. */
export function typedArrayKind(value: unknown): string | undefined {
  return kindGetter.call(value) as string | undefined;
}

/** The length of a typed array, not to be overridden. */
export function trueLength(values: unknown): number {
  return lengthGetter.call(values) as number;
}

/**
 * Reads callers' vectors of one length, each component once: an accessor may give another answer the
 * second time, or use the cache in between. Finiteness is left to {@link checkFinite}, which is run
 * only when the norm shows that something is wrong.
 */
export class VectorReader {
  readonly #dimensions: number;
  /** Lent to one reading at a time. */
  #scratch: Float64Array | undefined;

  constructor(dimensions: number) {
    this.#dimensions = dimensions;
  }

  /**
   * Reads a vector and then uses it: whatever the caller's code does with this reader meanwhile, the
   * values read stay as they are.
   *
   * @param subject - the argument's name in error messages.
   * @param use - given a `Float32Array` itself, else a copy of what was read.
   * @throws {@link InvalidTypeError} when `vector` is no array of numbers.
   * @throws {@link DimensionMismatchError} when it has another length.
   */
  read<T>(subject: string, vector: ArrayLike<number>, use: (values: Values) => T): T {
    const scratch = this.#scratch ?? new Float64Array(this.#dimensions);
    this.#scratch = undefined;
    try {
      return use(readVector(subject, vector, scratch));
    } finally {
      this.#scratch = scratch;
    }
  }
}

/** Reads into `target`, as long as the vector must be; a `Float32Array` is handed back itself. */
export function readVector(
  subject: string,
  vector: ArrayLike<number>,
  target: Float64Array,
): Values {
  const kind = typedArrayKind(vector);
  const isObject = typeof vector === 'object' && vector !== null;
  const length: unknown = kind === undefined ? isObject && vector.length : trueLength(vector);
  if (typeof length !== 'number' || kind?.startsWith('Big')) {
    throw new InvalidTypeError(subject, 'an array of numbers', vector);
  }
  checkLength(subject, length, target.length);
  if (kind === 'Float32Array') return vector as Float32Array;
  if (kind !== undefined) {
    target.set(vector);
    return target;
  }
  for (let index = 0; index < length; index++) {
    const value: unknown = vector[index];
    checkType(`${subject}[${index}]`, value, 'number');
    target[index] = value as number;
  }
  return target;
}

/** @throws {@link DimensionMismatchError} when a vector's length is another. */
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
 * Length of vectors inside the cache: `dimensions` rounded up to a multiple of 8. The components
 * added are zero and change no product.
 */
export function paddedLength(dimensions: number): number {
  return Math.ceil(dimensions / 8) * 8;
}

/**
 * Writes a vector, scaled to length 1, into `unit`. The norm is taken in float64, of a copy scaled
 * by its greatest component where squares would overflow or vanish; each component is rounded to
 * float32 once.
 *
 * @param scratch - `[paddedLength]`, overwritten up to `dimensions`; zeros beyond.
 * @param unit - `[paddedLength]`, overwritten; all zeros for a zero vector.
 * @throws {@link InvalidValueError} when a component is NaN or infinite.
 */
export function toUnitVector(
  subject: string,
  values: Values,
  dimensions: number,
  scratch: Float64Array,
  unit: Float32Array,
): void {
  scratch.set(values);
  let squares = sumOfSquares(scratch, 0, scratch.length);
  if (!isSafe(squares)) {
    scaleIntoRange(subject, scratch, dimensions);
    squares = sumOfSquares(scratch, 0, scratch.length);
  }
  const inverse = squares === 0 ? 0 : 1 / Math.sqrt(squares);
  for (let index = 0; index < scratch.length; index++) {
    unit[index] = scratch[index] * inverse;
  }
}

/** Whether a sum of squares can be trusted; if not, see {@link scaleIntoRange}. NaN is not safe. */
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

/** Of the values in `[start, end)`, in float64: four partial sums, as the kernel takes them. */
export function sumOfSquares(values: Values, start: number, end: number): number {
  let sum0 = 0;
  let sum1 = 0;
  let sum2 = 0;
  let sum3 = 0;
  let index = start;
  for (; index < end - 3; index += 4) {
    const a = values[index];
    const b = values[index + 1];
    const c = values[index + 2];
    const d = values[index + 3];
    sum0 += a * a;
    sum1 += b * b;
    sum2 += c * c;
    sum3 += d * d;
  }
  for (; index < end; index++) sum0 += values[index] ** 2;
  return sum0 + sum2 + (sum1 + sum3);
}

function getterOf(name: PropertyKey): () => unknown {
  return (Object.getOwnPropertyDescriptor(typedArray, name) as { get: () => unknown }).get;
}
