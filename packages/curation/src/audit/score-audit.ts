import type { Interval } from '../statistics/rank-statistics.ts';
import type { Stability } from '../statistics/stability.ts';

/** Distribution of one value, a dimension or the score, over the runs. */
export interface ValueAudit {
  /** A dimension, `score`, or `score without outcome`. */
  readonly name: string;
  /** Minimum, in [0, 1]. Without runs, this and the next three values are NaN. */
  readonly minimum: number;
  /** Median, in [0, 1]. */
  readonly median: number;
  /** Arithmetic mean, in [0, 1]. */
  readonly mean: number;
  /** Greatest value, in [0, 1]. */
  readonly maximum: number;
  /** The most frequent value (the smallest in a tie) and its number of runs. */
  readonly mostFrequent: { readonly value: number; readonly runs: number };
  /** Number of runs with value 1. */
  readonly saturated: number;
  /** The area under the ROC curve for verified success; absent unless both outcomes occur. */
  readonly area?: Interval;
}

/** Whether agreement predicts success. */
export interface AgreementAudit {
  /** Number of runs with a value and a known outcome. */
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
  /** Minimum score of a kept run. */
  readonly threshold: number;
  /** Number of top runs that were compared. */
  readonly top: number;
  /** The dimensions, `score`, and `score without outcome`. */
  readonly values: readonly ValueAudit[];
  /** Number of runs by source of the success value. */
  readonly successFrom: Readonly<Record<string, number>>;
  /** Number of runs by source of the confidence. */
  readonly confidenceFrom: Readonly<Record<string, number>>;
  /** Number of runs that verifiably succeeded and failed. */
  readonly outcomes: { readonly succeeded: number; readonly failed: number };
  /** Absent if no run has an agreement value. */
  readonly agreement?: AgreementAudit;
  /** Effect of changes to order and weights on the ranking. */
  readonly stability: readonly Stability[];
  /** Findings, most important first. */
  readonly findings: readonly AuditFinding[];
}

/** One finding of an audit. */
export interface AuditFinding {
  /**
   * The subject: prediction of success by score or agreement, distribution of a value, sources of
   * success and confidence, or the effect of another order or other weights.
   */
  readonly about: 'success' | 'agreement' | 'spread' | 'source' | 'order' | 'weights';
  /** Whether it limits how far the scores can be trusted. */
  readonly isWarning: boolean;
  /** One readable sentence. */
  readonly text: string;
}
