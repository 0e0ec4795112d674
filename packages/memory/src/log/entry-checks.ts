import { describeValue } from '@kp/foundation';
import { MemoryStoreError } from './errors.ts';

const UUID = /^[\da-f]{8}-[\da-f]{4}-[\da-f]{4}-[\da-f]{4}-[\da-f]{12}$/i;
const MAX_KEY_LENGTH = 2000;

/** @throws {@link MemoryStoreError} `MEMORY_ENTRY_INVALID` if a store cannot keep the key. */
export function checkKey(key: string): string {
  if (typeof key !== 'string' || key === '') {
    throw entryError('key', 'a string that is not empty', key === '' ? '""' : typeof key);
  }
  // Postgres cannot store NUL in text, and indexes limit the length of keys.
  if (key.length > MAX_KEY_LENGTH || key.includes('\u0000') || !key.isWellFormed()) {
    const expected = `well-formed text of at most ${MAX_KEY_LENGTH} characters without NUL`;
    throw entryError('key', expected, `${JSON.stringify(key.slice(0, 40))} (${key.length})`);
  }
  return key;
}

/** @throws {@link MemoryStoreError} `MEMORY_OPTION_INVALID`. */
export function checkAge(olderThanMs: number): number {
  if (olderThanMs > 0) return olderThanMs;
  throw new MemoryStoreError({
    code: 'MEMORY_OPTION_INVALID',
    subject: 'olderThanMs',
    expected: 'milliseconds above 0',
    received: describeValue(olderThanMs),
  });
}

/** @throws {@link MemoryStoreError} `MEMORY_ENTRY_INVALID`. */
export function checkOperationId(operationId: string): string {
  if (UUID.test(operationId)) return operationId.toLowerCase();
  throw entryError('operationId', 'a UUID', JSON.stringify(operationId));
}

/**
 * @returns a copy, which the caller cannot change.
 * @throws {@link MemoryStoreError} `MEMORY_ENTRY_INVALID`.
 */
export function copyVector(vector: Float32Array, dimensions: number): Float32Array {
  if (!(vector instanceof Float32Array)) {
    throw entryError('vector', 'a Float32Array', typeof vector);
  }
  if (vector.length !== dimensions) {
    throw entryError('vector', `${dimensions} dimensions`, `${vector.length}`);
  }
  for (let i = 0; i < vector.length; i++) {
    const value = vector[i] as number;
    // Faster than Number.isFinite: this runs on every value of every entry.
    if (value - value !== 0) throw entryError(`vector[${i}]`, 'a finite number', `${value}`);
  }
  return vector.slice();
}

function entryError(subject: string, expected: string, received: string): MemoryStoreError {
  return new MemoryStoreError({ code: 'MEMORY_ENTRY_INVALID', subject, expected, received });
}
