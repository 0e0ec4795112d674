/** What went wrong, for callers that match on a value instead of a class. */
export type VectorCacheErrorCode =
  | 'DIMENSION_MISMATCH'
  | 'INVALID_TYPE'
  | 'INVALID_VALUE'
  | 'INVALID_SNAPSHOT'
  | 'OUT_OF_MEMORY';

/**
 * The shape that all errors of this package share, whichever built-in error each extends: a message
 * of the form `subject: expected …, received …`, and its parts. `cause` is there when another error
 * led to it.
 */
export interface VectorCacheError extends Error {
  /** To match by, across packages and copies of them. */
  readonly code: VectorCacheErrorCode;
  /** What can be used. */
  readonly expected: string | number;
  /** What came instead. */
  readonly received: string | number;
}

/** A vector has another length than the cache keeps. */
export class DimensionMismatchError extends RangeError implements VectorCacheError {
  /** The name of the class. */
  override readonly name = 'DimensionMismatchError';
  /** To match by. */
  readonly code = 'DIMENSION_MISMATCH';
  /** How many numbers a vector has to have. */
  readonly expected: number;
  /** How many it has. */
  readonly received: number;

  constructor(subject: string, expected: number, received: number) {
    super(`${subject}: expected ${expected} dimensions, received ${received}`);
    this.expected = expected;
    this.received = received;
  }
}

/** An argument or option is of the wrong type. */
export class InvalidTypeError extends TypeError implements VectorCacheError {
  /** The name of the class. */
  override readonly name = 'InvalidTypeError';
  /** To match by. */
  readonly code = 'INVALID_TYPE';
  /** What can be used. */
  readonly expected: string;
  /** What came instead. */
  readonly received: string;

  constructor(subject: string, expected: string, received: unknown) {
    super(`${subject}: expected ${expected}, received ${describe(received)}`);
    this.expected = expected;
    this.received = describe(received);
  }
}

/** An argument or option is of the right type and outside the values allowed. */
export class InvalidValueError extends RangeError implements VectorCacheError {
  /** The name of the class. */
  override readonly name = 'InvalidValueError';
  /** To match by. */
  readonly code = 'INVALID_VALUE';
  /** What can be used. */
  readonly expected: string;
  /** What came instead. */
  readonly received: string;

  constructor(subject: string, expected: string, received: unknown) {
    super(`${subject}: expected ${expected}, received ${describe(received)}`);
    this.expected = expected;
    this.received = describe(received);
  }
}

/** Bytes that are not a whole, undamaged snapshot this version can read. */
export class SnapshotError extends Error implements VectorCacheError {
  /** The name of the class. */
  override readonly name = 'SnapshotError';
  /** To match by. */
  readonly code = 'INVALID_SNAPSHOT';
  /** What a snapshot has to hold. */
  readonly expected: string;
  /** What these bytes hold. */
  readonly received: string;

  constructor(subject: string, expected: string, received: string, options?: ErrorOptions) {
    super(`snapshot ${subject}: expected ${expected}, received ${received}`, options);
    this.expected = expected;
    this.received = received;
  }
}

/** Memory was refused. What asked for it is as it was before. */
export class OutOfMemoryError extends RangeError implements VectorCacheError {
  /** The name of the class. */
  override readonly name = 'OutOfMemoryError';
  /** To match by. */
  readonly code = 'OUT_OF_MEMORY';
  /** How much memory was asked for. */
  readonly expected: string;
  /** Vectors kept so far. */
  readonly received: number;

  constructor(purpose: string, size: number, options?: ErrorOptions) {
    super(
      `memory: expected room for ${purpose}, received none after ${size} vectors; ` +
        'set a smaller maxElements, or flat: true for smaller entries',
      options,
    );
    this.expected = `room for ${purpose}`;
    this.received = size;
  }
}

/** Runs what takes memory of JavaScript; its refusal becomes an {@link OutOfMemoryError}. */
export function allocating<T>(purpose: string, size: number, allocate: () => T): T {
  try {
    return allocate();
  } catch (cause) {
    throw cause instanceof RangeError ? new OutOfMemoryError(purpose, size, { cause }) : cause;
  }
}

function describe(value: unknown): string {
  if (typeof value === 'string') return `the string ${JSON.stringify(value.slice(0, 40))}`;
  if (typeof value === 'function' || typeof value === 'bigint') return `a ${typeof value}`;
  if (typeof value !== 'object' || value === null) return String(value);
  return `an object (${value.constructor?.name ?? 'no prototype'})`;
}
