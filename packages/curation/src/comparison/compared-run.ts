import type { ComparedRun } from './compare-tasks.ts';

/** What tells the compared part of a run. */
export interface ComparedRunFacts {
  /** Task name in the recording; null or undefined without one. */
  readonly task?: string | null;
  /** Objective of the run, in full. Default: an empty text. */
  readonly objective?: string;
  /** Recorded outcome; null or undefined if unknown. */
  readonly success?: boolean | null;
  /** Where the outcome came from, such as `recorded` or `assumed`. */
  readonly successSource?: string;
  /** The outcome that the score of the run counts. */
  readonly countedAs?: boolean;
  /** In [0, 1]; null for a run that crashed before its first step. */
  readonly score: number | null;
}

/**
 * Returns the compared part of a run. A run whose score counts it as failed because failure was assumed has the
 * outcome `false`; one that counts as succeeded because success was assumed has none.
 */
export function comparedRun(facts: ComparedRunFacts): ComparedRun {
  const { task = null, objective = '', success = null, successSource, countedAs, score } = facts;
  const isAssumedFailure = successSource === 'assumed' && countedAs === false;
  return { task, objective, success: isAssumedFailure ? false : success, score };
}
