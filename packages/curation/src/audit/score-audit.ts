import type { Interval } from '../statistics/rank-statistics.ts';
import type { Stability } from '../statistics/stability.ts';

/** How one value, a dimension or the score, is distributed over the runs. */
export interface ValueAudit {
  /** A dimension, `score`, or `score without outcome`. */
  readonly name: string;
  /** In [0, 1], as are median, mean and maximum; all are NaN without runs. */
  readonly minimum: number;
  /** Median, in [0, 1]. */
  readonly median: number;
  /** Arithmetic mean, in [0, 1]. */
  readonly mean: number;
  /** Greatest value, in [0, 1]. */
  readonly maximum: number;
  /** The most frequent value, the least of equally frequent ones, and how many runs have it. */
  readonly mostFrequent: { readonly value: number; readonly runs: number };
  /** How many runs have the value 1. */
  readonly saturated: number;
  /** The area under the ROC curve for verified success; absent unless both outcomes occur. */
  readonly area?: Interval;
}

/** Whether runs with more agreement are those that succeeded. */
export interface AgreementAudit {
  /** Runs with a value and a known outcome. */
  readonly runs: number;
  /** The share of these runs that succeeded; NaN without any. */
  readonly successRate: number;
  /** The area under the ROC curve within tasks; absent unless a task has both outcomes. */
  readonly area?: Interval;
}

/** The figures of an audit, and findings about them. */
export interface ScoreAudit {
  /** Number of runs. */
  readonly runs: number;
  /** Number of tasks. */
  readonly tasks: number;
  /** Runs with at least this score count as kept. */
  readonly threshold: number;
  /** How many of the best runs were compared. */
  readonly top: number;
  /** The dimensions, `score`, and `score without outcome`. */
  readonly values: readonly ValueAudit[];
  /** Number of runs by where their success comes from. */
  readonly successFrom: Readonly<Record<string, number>>;
  /** Number of runs by where their confidence comes from. */
  readonly confidenceFrom: Readonly<Record<string, number>>;
  /** Number of runs that verifiably succeeded and failed. */
  readonly outcomes: { readonly succeeded: number; readonly failed: number };
  /** Absent if no run has a value of agreement. */
  readonly agreement?: AgreementAudit;
  /** How changes of order and of weights affect the ranking. */
  readonly stability: readonly Stability[];
  /** The findings, the most important first. */
  readonly findings: readonly AuditFinding[];
}

/** One finding of an audit. */
export interface AuditFinding {
  /**
   * Whether the score or the agreement predicts success, how a value is distributed, where success
   * and confidence come from, and what another order of the runs or other weights would change.
   */
  readonly about: 'success' | 'agreement' | 'spread' | 'source' | 'order' | 'weights';
  /** Whether the scores must be read with care because of it. */
  readonly isWarning: boolean;
  /** One sentence for people. */
  readonly text: string;
}
