/** What went wrong with a memory, in the words of a program. */
export type MemoryErrorCode =
  /** The store did not answer in time, or refused to. What was sent may still have landed. */
  | 'MEMORY_UNAVAILABLE'
  /** The store has no room. Nothing was remembered. */
  | 'MEMORY_FULL'
  /** Of another embedder, other bounds, or another secret than the one asked for. */
  | 'MEMORY_MISMATCH'
  /** Cannot be read as a memory. */
  | 'MEMORY_DAMAGED'
  /** Written by a later version of this package. */
  | 'MEMORY_NEWER'
  /** The location is not one that a memory can be at. */
  | 'MEMORY_LOCATION'
  /** More calls wait than may; this one was not taken. */
  | 'MEMORY_OVERLOADED'
  | 'MEMORY_CLOSED'
  | 'MEMORY_OPTION_INVALID'
  | 'MEMORY_ENTRY_INVALID'
  /** A library that is needed is not installed, or cannot be loaded. */
  | 'DEPENDENCY_MISSING';

export interface MemoryErrorFacts {
  readonly code: MemoryErrorCode;
  /** What it is about: an option, a location, a table. */
  readonly subject: string;
  readonly expected: string;
  readonly received: string;
  /** What to do about it, as a sentence. */
  readonly remedy?: string;
  readonly cause?: unknown;
}

/** Every error of this package: `subject: expected …, received …; remedy`. */
export class MemoryStoreError extends Error {
  /** The name of the class. */
  override readonly name = 'MemoryStoreError';
  /** To match by, across packages and copies of them. */
  readonly code: MemoryErrorCode;
  /** What is at fault: a store, an option, a library. */
  readonly subject: string;
  /** What was expected of the subject. */
  readonly expected: string;
  /** What was there instead. */
  readonly received: string;

  constructor({ code, subject, expected, received, remedy, cause }: MemoryErrorFacts) {
    const way = remedy === undefined ? '' : `; ${remedy}`;
    super(`${subject}: expected ${expected}, received ${received}${way}`, { cause });
    this.code = code;
    this.subject = subject;
    this.expected = expected;
    this.received = received;
  }
}

/** What a store holds is not what this package writes. */
export function damagedError(
  subject: string,
  expected: string,
  received: string,
  cause?: unknown,
): MemoryStoreError {
  const remedy = 'restore the memory from a backup, or name another';
  return new MemoryStoreError({
    code: 'MEMORY_DAMAGED',
    subject,
    expected,
    received,
    remedy,
    cause,
  });
}

/** The message of whatever was thrown. */
export function messageOf(error: unknown): string {
  return error instanceof Error && error.message !== '' ? error.message : String(error);
}
