import { checkCount } from '../corpus/errors.ts';
import { compareKeys } from '../corpus/key-order.ts';
import { INVERSE_PENALTY, scalesOf, standardised } from './feature-scales.ts';
import type { OutcomeFeatures } from './outcome-features.ts';

/** A candidate for labelling. */
export interface UnlabelledRun {
  /** Breaks ties between equally informative runs. */
  readonly id: string;
  /**
   * Task of the run. Models are evaluated by task, so each task is chosen once before any is chosen
   * twice.
   */
  readonly task: string;
  /** From `outcomeFeatures`. */
  readonly features: OutcomeFeatures;
  /** Whether its outcome is already known. */
  readonly isLabelled: boolean;
}

/** The penalty of the outcome model, in units of a label's variance at even odds. */
const PENALTY = 4 / INVERSE_PENALTY;

/**
 * Chooses the runs with the most informative labels: each one most reduces the variance of the
 * predictions for all runs, given the runs labelled or chosen before it.
 *
 * @param runs - the whole corpus, including labelled runs.
 * @param count - number of runs to choose; fewer are returned if there are no more.
 * @returns Indices of unlabelled runs, most informative first.
 * @throws {@link CurationInputError} if `count` is not an integer of at least 1.
 * @see Yu, Bi and Tresp 2006, Active Learning via Transductive Experimental Design.
 */
export function chooseToLabel(runs: readonly UnlabelledRun[], count: number): number[] {
  checkCount('count', count, 1);
  const scales = scalesOf(runs);
  const rows = runs.map((run) => Float64Array.from(standardised(run, scales)));
  const width = rows[0]?.length ?? 0;
  const square = (diagonal: number): Float64Array[] =>
    Array.from({ length: width }, (_, at) => new Float64Array(width).fill(diagonal, at, at + 1));
  // Sums of products over all runs, and the weights' covariance given the labels so far.
  const products = square(0);
  for (const row of rows) addProduct(products, row, 1);
  const covariance = square(1 / PENALTY);
  const asked = new Map<string, number>();
  const take = (run: number): void => {
    const { task } = runs[run];
    asked.set(task, (asked.get(task) ?? 0) + 1);
    const seen = times(covariance, rows[run]);
    addProduct(covariance, seen, -1 / (1 + dot(rows[run], seen)));
  };
  const gainOf = (run: number): number => {
    const seen = times(covariance, rows[run]);
    return dot(seen, times(products, seen)) / (1 + dot(rows[run], seen));
  };
  const waiting = new Set(runs.keys());
  for (const [at, { isLabelled }] of runs.entries()) {
    if (!isLabelled) continue;
    waiting.delete(at);
    take(at);
  }
  const chosen: number[] = [];
  while (chosen.length < count && waiting.size > 0) {
    const timesOf = (run: number): number => asked.get(runs[run].task) ?? 0;
    const least = [...waiting].reduce((few, run) => Math.min(few, timesOf(run)), Infinity);
    const next = [...waiting]
      .filter((run) => timesOf(run) === least)
      .map((run) => ({ run, gain: gainOf(run) }))
      .reduce((a, b) => {
        if (a.gain !== b.gain) return a.gain > b.gain ? a : b;
        return compareKeys(runs[a.run].id, runs[b.run].id) <= 0 ? a : b;
      }).run;
    waiting.delete(next);
    chosen.push(next);
    take(next);
  }
  return chosen;
}

function dot(a: Float64Array, b: Float64Array): number {
  let sum = 0;
  for (let at = 0; at < a.length; at++) sum += a[at] * b[at];
  return sum;
}

function times(matrix: readonly Float64Array[], vector: Float64Array): Float64Array {
  return Float64Array.from(matrix, (row) => dot(row, vector));
}

/** Adds `factor · v vᵀ`. */
function addProduct(matrix: readonly Float64Array[], v: Float64Array, factor: number): void {
  for (const [at, row] of matrix.entries()) {
    for (let other = 0; other < row.length; other++) row[other] += factor * v[at] * v[other];
  }
}
