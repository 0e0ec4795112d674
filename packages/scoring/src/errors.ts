/** The weights of a profile that are not usable. */
export class ProfileError extends RangeError {
  override readonly name = 'ProfileError';
  readonly code = 'PROFILE_INVALID';
  readonly profile: string;
  readonly expected: string;
  readonly received: string;

  constructor(profile: string, expected: string, received: string) {
    super(`profile "${profile}": expected ${expected}, received ${received}`);
    this.profile = profile;
    this.expected = expected;
    this.received = received;
  }
}

/** An option of `createScorer` or `evaluateAll` that is not usable. */
export class ScorerOptionError extends TypeError {
  override readonly name = 'ScorerOptionError';
  readonly code = 'SCORER_OPTION_INVALID';
  readonly expected: string;
  readonly received: string;

  constructor(option: string, expected: string, received: string) {
    super(`${option}: expected ${expected}, received ${received}`);
    this.expected = expected;
    this.received = received;
  }
}

/** A memory whose vectors are not of the embedder's space, so that comparing them means nothing. */
export class MemoryMismatchError extends Error {
  override readonly name = 'MemoryMismatchError';
  readonly code = 'MEMORY_MISMATCH';
  readonly expected: string;
  readonly received: string;

  constructor(what: string, expected: string, received: string) {
    super(
      `memory: expected ${what} ${expected} as the embedder has, received ${received}; ` +
        'use the embedder that filled this memory, or a new memory',
    );
    this.expected = expected;
    this.received = received;
  }
}

/** What an embedder answered when it was not what the `Embedder` interface promises. */
export class EmbeddingError extends Error {
  override readonly name = 'EmbeddingError';
  readonly code = 'EMBEDDING_INVALID';
  readonly expected: string;
  readonly received: string;

  constructor(embedderId: string, expected: string, received: string) {
    super(`embedder ${embedderId}: expected ${expected}, received ${received}`);
    this.expected = expected;
    this.received = received;
  }
}

/** A memory that threw or rejected; `cause` is what it threw. */
export class MemoryError extends Error {
  override readonly name = 'MemoryError';
  readonly code = 'MEMORY_FAILED';

  constructor(operation: 'nearest' | 'add', cause: unknown) {
    super(
      `memory: ${operation} failed: ${cause instanceof Error ? cause.message : String(cause)}`,
      {
        cause,
      },
    );
  }
}

/** A call on a scorer after its `close()`. */
export class ScorerClosedError extends Error {
  override readonly name = 'ScorerClosedError';
  readonly code = 'SCORER_CLOSED';
  readonly expected = 'an open scorer';
  readonly received = 'a closed one';

  constructor() {
    super('scorer: expected an open scorer, received a closed one; create a new one');
  }
}
