import { DimensionMismatchError, InvalidTypeError, InvalidValueError } from './errors.ts';

/**
 * Copies a caller's vector into `target`. Finiteness is left to {@link checkFinite}, which the
 * caller runs only when the norm shows that something is wrong.
 *
 * @param subject - the argument's name in error messages.
 * @param target - at least `dimensions` long; what lies beyond is left alone.
 * @throws {@link InvalidTypeError} when `vector` is no array of numbers.
 * @throws {@link DimensionMismatchError} when it has another length.
 */
export function copyVector(
  subject: string,
  vector: ArrayLike<number>,
  dimensions: number,
  target: Float64Array,
): void {
  if (typeof vector !== 'object' || vector === null || typeof vector.length !== 'number') {
    throw new InvalidTypeError(subject, 'an array of numbers', vector);
  }
  if (vector.length !== dimensions) {
    throw new DimensionMismatchError(subject, dimensions, vector.length);
  }
  if (ArrayBuffer.isView(vector) && typeof vector[0] === 'number') {
    target.set(vector);
    return;
  }
  for (let index = 0; index < dimensions; index++) {
    const value = vector[index];
    if (typeof value !== 'number') {
      throw new InvalidTypeError(`${subject}[${index}]`, 'a number', value);
    }
    target[index] = value;
  }
}

/** @throws {@link InvalidValueError} naming the first component that is NaN or infinite. */
export function checkFinite(subject: string, vector: Float64Array, dimensions: number): void {
  for (let index = 0; index < dimensions; index++) {
    const value = vector[index] as number;
    if (!Number.isFinite(value)) {
      throw new InvalidValueError(`${subject}[${index}]`, 'a finite number', value);
    }
  }
}
