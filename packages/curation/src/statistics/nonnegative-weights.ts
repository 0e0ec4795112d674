import { createLeastSquares, fitLogistic } from './logistic.ts';
import { mean } from './rank-statistics.ts';

/** A person's rating of a run, and the run's values. */
export interface Rated {
  readonly values: readonly number[];
  readonly rating: number;
}

/** Keeps weights finite where the ratings are met exactly, and equal where values are alike. */
const RIDGE = 1e-3;
const MOST_PAIRS = 20_000;

/**
 * The weights, each at least 0 and together 1, whose weighted sum is closest to the ratings by least
 * squares, after the ratings are standardised: neither their scale nor an added constant matters. All
 * equal if no value goes with the ratings.
 */
export function leastSquaresWeights(runs: readonly Rated[]): number[] {
  const width = runs[0]?.values.length ?? 0;
  const means = Array.from({ length: width }, (_, at) =>
    mean(runs.map(({ values }) => values[at])),
  );
  const targets = standardised(runs.map(({ rating }) => rating));
  const problem = createLeastSquares(new Array<number>(width).fill(RIDGE * runs.length), 0);
  for (const [run, { values }] of runs.entries()) {
    const row = values.map((value, at) => value - means[at]);
    problem.add(row, 1, targets[run]);
  }
  return toShares(problem.solve(new Array<number>(width).fill(0)));
}

/**
 * The weights, each at least 0 and together 1, that make it most likely that of each pair of runs the
 * one with the higher rating has the greater weighted sum, in the logistic model; by Newton's method.
 * Takes at most 20,000 pairs, evenly spaced.
 */
export function pairwiseWeights(runs: readonly Rated[]): number[] {
  const width = runs[0]?.values.length ?? 0;
  const rows = differences(runs);
  const penalties = new Array<number>(width).fill(RIDGE * rows.length);
  return toShares(fitLogistic(rows, penalties, 0));
}

/** Of each pair of runs rated differently, what the one with the higher rating has more of. */
function differences(runs: readonly Rated[]): number[][] {
  const sorted = runs.toSorted((a, b) => b.rating - a.rating);
  // Where the runs with a lower rating begin.
  const lower = new Array<number>(sorted.length).fill(sorted.length);
  for (let at = sorted.length - 2; at >= 0; at--) {
    lower[at] = sorted[at].rating > sorted[at + 1].rating ? at + 1 : lower[at + 1];
  }
  const total = lower.reduce((sum, start) => sum + sorted.length - start, 0);
  const step = Math.ceil(total / MOST_PAIRS);
  const rows: number[][] = [];
  let skip = 0;
  for (const [at, better] of sorted.entries()) {
    let other = lower[at] + skip;
    for (; other < sorted.length; other += step) {
      rows.push(better.values.map((value, index) => value - sorted[other].values[index]));
    }
    skip = other - sorted.length;
  }
  return rows;
}

function toShares(weights: readonly number[]): number[] {
  const sum = weights.reduce((total, weight) => total + weight, 0);
  return weights.map((weight) => (sum === 0 ? 1 / weights.length : weight / sum));
}

/** Shifted to the mean 0 and scaled to the standard deviation 1; all 0 if they are the same. */
function standardised(values: readonly number[]): number[] {
  // Squares of values such as 1e200 would overflow.
  const greatest = values.reduce((most, value) => Math.max(most, Math.abs(value)), 0) || 1;
  const scaled = values.map((value) => value / greatest);
  const middle = mean(scaled);
  const deviation = Math.sqrt(mean(scaled.map((value) => (value - middle) ** 2)));
  return scaled.map((value) => (deviation === 0 ? 0 : (value - middle) / deviation));
}
