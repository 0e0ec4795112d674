import { KnowledgePulseError } from '@kp/foundation';
import type { TraceIssue } from './issues.ts';

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
    details: { readonly traceId?: string; readonly unlisted?: number } = {},
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
