import type { TraceIssue } from './issues.ts';

/** What an error says of itself; its message is made from these. */
export interface ErrorFacts {
  /** The name of the class. */
  readonly name: string;
  /** To match by, across packages and copies of them. */
  readonly code: string;
  /** The thing that is wrong: a field, an option, a part around us. */
  readonly subject: string;
  /** What was expected of the subject. */
  readonly expected: string;
  /** What was there instead. */
  readonly received: string;
  /** The way out, where what was expected does not say it. */
  readonly remedy?: string | undefined;
  /** What was thrown below, if anything. */
  readonly cause?: unknown;
}

/**
 * The shape of every error of the schema and of the scorer: `<subject>: expected <expected>,
 * received <received>; <remedy>`. Across packages, and copies of them, match `code`, not
 * `instanceof`.
 */
export class KnowledgePulseError extends Error {
  /** The name of the class. */
  override readonly name: string;
  /** To match by, across packages and copies of them. */
  readonly code: string;
  /** What was expected of the subject. */
  readonly expected: string;
  /** What was there instead. */
  readonly received: string;

  constructor(facts: ErrorFacts, message: string = messageOf(facts)) {
    super(message, facts.cause === undefined ? undefined : { cause: facts.cause });
    this.name = facts.name;
    this.code = facts.code;
    this.expected = facts.expected;
    this.received = facts.received;
  }
}

/** A value that is not a valid `ReasoningTrace`. */
export class TraceValidationError extends KnowledgePulseError {
  /** The problems, in order: all, or the first `maxIssues` of them. */
  readonly issues: readonly TraceIssue[];
  /**
   * How many further problems there are at least, past the limit `maxIssues`: of the steps that are
   * then left, each that is not valid counts as one.
   */
  readonly unlisted: number;

  /** `expected` and `received` are those of the first problem. */
  constructor(
    issues: readonly [TraceIssue, ...TraceIssue[]],
    details: { readonly traceId?: string | undefined; readonly unlisted?: number } = {},
  ) {
    const { expected, received } = issues[0];
    const { traceId, unlisted = 0 } = details;
    const subject = traceId === undefined ? 'trace' : `trace ${traceId}`;
    super(
      { name: 'TraceValidationError', code: 'TRACE_INVALID', subject, expected, received },
      listOf(subject, issues, unlisted),
    );
    this.issues = issues;
    this.unlisted = unlisted;
  }
}

/** A `TraceLimits` option that is not usable. */
export class TraceLimitsError extends KnowledgePulseError {
  constructor(subject: string, expected: string, received: string) {
    super({ name: 'TraceLimitsError', code: 'TRACE_LIMITS_INVALID', subject, expected, received });
  }
}

function messageOf({ subject, expected, received, remedy }: ErrorFacts): string {
  const message = `${subject}: expected ${expected}, received ${received}`;
  return remedy === undefined ? message : `${message}; ${remedy}`;
}

const ISSUES_IN_MESSAGE = 20;

function listOf(subject: string, issues: readonly TraceIssue[], unlisted: number): string {
  const all = issues.length + unlisted;
  const lines = issues.slice(0, ISSUES_IN_MESSAGE).map(({ message }) => `  ${message}`);
  const more = issues.length - lines.length;
  if (more > 0) {
    const listed = unlisted > 0 ? 'in error.issues' : 'all of them in error.issues';
    lines.push(`  … and ${more} more, ${listed}`);
  }
  if (unlisted > 0)
    lines.push(`  … and at least ${unlisted} that are not listed (limit maxIssues)`);
  const problems = `${unlisted > 0 ? 'at least ' : ''}${all} problem${all === 1 ? '' : 's'}`;
  return [`${subject} is not valid, ${problems}:`, ...lines].join('\n');
}
