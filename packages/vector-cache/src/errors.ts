/** What went wrong, for callers that match on a value instead of a class. */
export type VectorCacheErrorCode =
  | 'DIMENSION_MISMATCH'
  | 'INVALID_TYPE'
  | 'INVALID_VALUE'
  | 'INVALID_SNAPSHOT'
  | 'OUT_OF_MEMORY';

/** A vector has another length than the cache keeps. */
export class DimensionMismatchError extends RangeError {
  override readonly name = 'DimensionMismatchError';
  readonly code: VectorCacheErrorCode = 'DIMENSION_MISMATCH';
  readonly expected: number;
  readonly received: number;

  constructor(subject: string, expected: number, received: number) {
    super(`${subject}: expected ${expected} dimensions, received ${received}`);
    this.expected = expected;
    this.received = received;
  }
}

/** An argument or option is of the wrong type. */
export class InvalidTypeError extends TypeError {
  override readonly name = 'InvalidTypeError';
  readonly code: VectorCacheErrorCode = 'INVALID_TYPE';
  readonly expected: string;
  readonly received: string;

  constructor(subject: string, expected: string, received: unknown) {
    const description = describe(received);
    super(`${subject}: expected ${expected}, received ${description}`);
    this.expected = expected;
    this.received = description;
  }
}

/** An argument or option is of the right type and outside the values allowed. */
export class InvalidValueError extends RangeError {
  override readonly name = 'InvalidValueError';
  readonly code: VectorCacheErrorCode = 'INVALID_VALUE';
  readonly expected: string;
  readonly received: string;

  constructor(subject: string, expected: string, received: unknown) {
    const description = describe(received);
    super(`${subject}: expected ${expected}, received ${description}`);
    this.expected = expected;
    this.received = description;
  }
}

/** Bytes that are not a whole, undamaged snapshot this version can read. */
export class SnapshotError extends Error {
  override readonly name = 'SnapshotError';
  readonly code: VectorCacheErrorCode = 'INVALID_SNAPSHOT';
  readonly expected: string;
  readonly received: string;

  constructor(subject: string, expected: string, received: string, options?: ErrorOptions) {
    super(`snapshot ${subject}: expected ${expected}, received ${received}`, options);
    this.expected = expected;
    this.received = received;
  }
}

/** There is no memory for one more vector. The cache keeps what it has. */
export class OutOfMemoryError extends RangeError {
  override readonly name = 'OutOfMemoryError';
  readonly code: VectorCacheErrorCode = 'OUT_OF_MEMORY';
  /** Vectors kept so far. */
  readonly received: number;

  constructor(size: number, options?: ErrorOptions) {
    super(
      `memory: expected room for one more vector, received none after ${size}; ` +
        'set a smaller maxElements, or flat: true for smaller entries',
      options,
    );
    this.received = size;
  }
}

function describe(value: unknown): string {
  if (typeof value === 'number' || value === null || value === undefined) return String(value);
  if (typeof value === 'string') return `the string ${JSON.stringify(value.slice(0, 40))}`;
  if (typeof value === 'object') return `an object (${value.constructor?.name ?? 'no prototype'})`;
  return `a ${typeof value}`;
}
