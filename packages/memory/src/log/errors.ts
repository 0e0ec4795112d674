import { type ErrorDetails, KnowledgePulseError } from '@kp/foundation';

/** The code of an error of a memory. */
export type MemoryErrorCode =
  /**
   * The store did not answer in time, or rejected the call. The operation may still take effect.
   */
  | 'MEMORY_UNAVAILABLE'
  /** The store is full. Nothing was remembered. */
  | 'MEMORY_FULL'
  /** The namespace has another embedder, other limits or another secret than requested or imported. */
  | 'MEMORY_MISMATCH'
  /** The stored data is not a valid memory. */
  | 'MEMORY_DAMAGED'
  /** The store was written by a later version of this package. */
  | 'MEMORY_NEWER'
  /** The location has no memory, or cannot have one. */
  | 'MEMORY_LOCATION'
  /** `maxPending` entries are waiting; this call was rejected. */
  | 'MEMORY_OVERLOADED'
  | 'MEMORY_CLOSED'
  | 'MEMORY_OPTION_INVALID'
  | 'MEMORY_ENTRY_INVALID'
  /** The server lacks the extension pgvector. */
  | 'DEPENDENCY_MISSING';

/** Base class of the errors of this package, except for a missing library (`DependencyError`). */
export class MemoryStoreError extends KnowledgePulseError<MemoryErrorCode> {
  constructor(details: Omit<ErrorDetails<MemoryErrorCode>, 'name'>) {
    super({ ...details, name: 'MemoryStoreError' });
  }
}

/** The store holds something that this package did not write. */
export function damagedError(
  subject: string,
  expected: string,
  received: string,
  cause?: unknown,
): MemoryStoreError {
  return new MemoryStoreError({
    code: 'MEMORY_DAMAGED',
    subject,
    expected,
    received,
    remedy: 'restore the memory from a backup, or name another',
    cause,
  });
}

/** Another process has dropped the namespace of an open memory. */
export function droppedError(namespace: string): MemoryStoreError {
  return new MemoryStoreError({
    code: 'MEMORY_LOCATION',
    subject: `namespace ${JSON.stringify(namespace)}`,
    expected: 'an existing memory',
    received: 'a dropped one',
    remedy: 'open it again to create a new one',
  });
}

/** Thrown by calls after a memory was closed. */
export function closedError(): MemoryStoreError {
  return new MemoryStoreError({
    code: 'MEMORY_CLOSED',
    subject: 'memory',
    expected: 'an open memory',
    received: 'a closed one',
    remedy: 'open it again',
  });
}
