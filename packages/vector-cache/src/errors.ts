import { KnowledgePulseError } from '@kp/foundation';

/** A vector has another length than the cache keeps. */
export class DimensionMismatchError extends KnowledgePulseError<'DIMENSION_MISMATCH', number> {
  constructor(subject: string, expected: number, received: number) {
    super(
      { name: 'DimensionMismatchError', code: 'DIMENSION_MISMATCH', subject, expected, received },
      `${subject}: expected ${expected} dimensions, received ${received}`,
    );
  }
}

/** Bytes that are not a complete, undamaged snapshot that this version can read. */
export class SnapshotError extends KnowledgePulseError<'INVALID_SNAPSHOT'> {
  constructor(part: string, expected: string, received: string, cause?: unknown) {
    const subject = `snapshot ${part}`;
    const remedy = 'take a new snapshot, or restore this one from a backup';
    const code = 'INVALID_SNAPSHOT';
    super({ name: 'SnapshotError', code, subject, expected, received, remedy, cause });
  }
}

/** The system refused memory. The cache is unchanged. */
export class OutOfMemoryError extends KnowledgePulseError<'OUT_OF_MEMORY'> {
  constructor(purpose: string, size: number, cause?: unknown) {
    super({
      name: 'OutOfMemoryError',
      code: 'OUT_OF_MEMORY',
      subject: 'memory',
      expected: `room for ${purpose}`,
      received: `none after ${size} vectors`,
      remedy: 'set a smaller maxElements, or flat: true for smaller entries',
      cause,
    });
  }
}

/** Runs a function that allocates; turns a refused allocation into an {@link OutOfMemoryError}. */
export function allocating<T>(purpose: string, size: number, allocate: () => T): T {
  try {
    return allocate();
  } catch (cause) {
    throw cause instanceof RangeError ? new OutOfMemoryError(purpose, size, cause) : cause;
  }
}
