import { KnowledgePulseError } from '@kp/foundation';
import type { TraceIssue } from './issues.ts';

/** A value is not a valid `ReasoningTrace`. */
export class TraceValidationError extends KnowledgePulseError {
  /** The first `maxIssues` problems, in order. */
  readonly issues: readonly TraceIssue[];
  /**
   * Minimum number of further problems beyond `maxIssues`. Each remaining invalid step counts as one.
   */
  readonly unlisted: number;

  /** Takes `expected` and `received` from the first problem. */
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

/** A `TraceLimits` option is invalid. */
export class TraceLimitsError extends KnowledgePulseError {
  constructor(subject: string, expected: string, received: string, remedy?: string) {
    const name = 'TraceLimitsError';
    super({ name, code: 'TRACE_LIMITS_INVALID', subject, expected, received, remedy });
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
