import type { TraceIssue } from './issue.ts';

const ISSUES_IN_MESSAGE = 20;

/** A value that is not a valid `ReasoningTrace`: `issues` has every problem, in order. */
export class TraceValidationError extends Error {
  override readonly name = 'TraceValidationError';
  readonly code = 'TRACE_INVALID';
  readonly issues: readonly TraceIssue[];
  /** What the first problem's field should have been. */
  readonly expected: string;
  /** What the first problem's field was. */
  readonly received: string;

  constructor(issues: readonly [TraceIssue, ...TraceIssue[]], traceId?: string) {
    super(describe(issues, traceId));
    this.issues = issues;
    this.expected = issues[0].expected;
    this.received = issues[0].received;
  }
}

/** A `TraceLimits` option that is not usable. */
export class TraceLimitsError extends RangeError {
  override readonly name = 'TraceLimitsError';
  readonly code = 'TRACE_LIMITS_INVALID';
  readonly expected: string;
  readonly received: string;

  constructor(option: string, expected: string, received: unknown) {
    super(`${option}: expected ${expected}, received ${String(received)}`);
    this.expected = expected;
    this.received = String(received);
  }
}

function describe(issues: readonly TraceIssue[], traceId: string | undefined): string {
  const subject = traceId === undefined ? 'trace' : `trace ${traceId}`;
  const problems = issues.length === 1 ? '1 problem' : `${issues.length} problems`;
  const lines = issues.slice(0, ISSUES_IN_MESSAGE).map(({ message }) => `  ${message}`);
  if (issues.length > ISSUES_IN_MESSAGE) {
    lines.push(`  … and ${issues.length - ISSUES_IN_MESSAGE} more, all of them in error.issues`);
  }
  return [`${subject} is not valid, ${problems}:`, ...lines].join('\n');
}
