import { describeValue, KnowledgePulseError, messageOf } from '@kp/foundation';

/** The weights of a profile that are not usable. */
export class ProfileError extends KnowledgePulseError {
  /** The name of the profile. */
  readonly profile: string;

  constructor(profile: string, expected: string, received: string) {
    const subject = `profile "${profile}"`;
    super({ name: 'ProfileError', code: 'PROFILE_INVALID', subject, expected, received });
    this.profile = profile;
  }
}

/** An option of a scorer, or of one of its calls, that is not usable. */
export class ScorerOptionError extends KnowledgePulseError {
  constructor(option: string, expected: string, received: unknown) {
    super({
      name: 'ScorerOptionError',
      code: 'SCORER_OPTION_INVALID',
      subject: option,
      expected,
      received: describeValue(received),
    });
  }
}

/** A dimension or rule of the user's that failed, or a score that cannot be computed without it. */
export class FormulaError extends KnowledgePulseError {
  constructor(
    part: string,
    expected: string,
    received: string,
    more?: { readonly cause?: unknown; readonly remedy?: string },
  ) {
    const code = 'FORMULA_FAILED';
    super({ name: 'FormulaError', code, subject: part, expected, received, ...more });
  }
}

/** A memory whose vectors are not of the embedder's space, so that comparing them means nothing. */
export class MemoryMismatchError extends KnowledgePulseError {
  constructor(what: string, expected: string, received: string) {
    super({
      name: 'MemoryMismatchError',
      code: 'MEMORY_MISMATCH',
      subject: 'memory',
      expected: `${what} ${expected} as the embedder has`,
      received,
      remedy: 'use the embedder that filled this memory, or a new memory',
    });
  }
}

/** What an embedder answered when it was not what the `Embedder` interface promises. */
export class EmbeddingError extends KnowledgePulseError {
  constructor(embedderId: string, expected: string, received: string) {
    const subject = `embedder ${embedderId}`;
    super({ name: 'EmbeddingError', code: 'EMBEDDING_INVALID', subject, expected, received });
  }
}

/** A memory that threw or rejected (`cause` is what it threw), or whose answer is not usable. */
export class MemoryError extends KnowledgePulseError {
  /** @param memory - its name: `memory`, and the class of those that have one. */
  constructor(
    memory: string,
    operation: string,
    problem: { readonly expected: string; readonly received: string } | { readonly cause: unknown },
  ) {
    const failed = 'cause' in problem;
    const { expected, received } = failed ? FAILED_ANSWER : problem;
    const subject = `${memory}: ${operation}`;
    const code = failed ? 'MEMORY_FAILED' : 'MEMORY_ANSWER_INVALID';
    const cause = failed ? problem.cause : undefined;
    const facts = { name: 'MemoryError', code, subject, expected, received, cause };
    if (failed) super(facts, `${subject} failed: ${messageOf(cause)}`);
    else super(facts);
  }
}

/** An embedder or memory that did not answer within `operationTimeoutMs`. */
export class OperationTimeoutError extends KnowledgePulseError {
  constructor(subject: string, timeoutMs: number) {
    super({
      name: 'OperationTimeoutError',
      code: 'OPERATION_TIMEOUT',
      subject,
      expected: `an answer within ${timeoutMs} ms`,
      received: 'none',
      remedy: 'find out why it hangs, or set a longer operationTimeoutMs',
    });
  }
}

/** `remember` with more pending than the scorer may hold; there is no report that could say so. */
export class ScorerOverloadedError extends KnowledgePulseError {
  constructor(maxPending: number) {
    super({
      name: 'ScorerOverloadedError',
      code: 'SCORER_OVERLOADED',
      subject: 'scorer',
      expected: `room among ${maxPending} pending traces`,
      received: 'none',
      remedy: 'try again later, or set a larger maxPending',
    });
  }
}

/** `remember` that did not end within its own `budgetMs`; it goes on. */
export class BudgetExceededError extends KnowledgePulseError {
  constructor(budgetMs: number) {
    super({
      name: 'BudgetExceededError',
      code: 'BUDGET_EXCEEDED',
      subject: 'remember',
      expected: `an end within ${budgetMs} ms`,
      received: 'none',
      remedy: 'the trace is remembered when its turn comes',
    });
  }
}

/** A call on a scorer after its `close()`, or one that was under way when waiting for it ended. */
export class ScorerClosedError extends KnowledgePulseError {
  constructor() {
    super({
      name: 'ScorerClosedError',
      code: 'SCORER_CLOSED',
      subject: 'scorer',
      expected: 'an open scorer',
      received: 'a closed one',
      remedy: 'create a new one',
    });
  }
}

const FAILED_ANSWER = { expected: 'an answer', received: 'a failure' };
