import type { ScoreReport, ScoringWeights } from '@kp/scoring';
import { seededIntegers } from './baseline.ts';
import { CurationInputError, checkLength } from './errors.ts';
import { compareKeys } from './key-order.ts';
import { leastSquaresWeights, pairwiseWeights } from './nonnegative-weights.ts';
import { type Interval, middle } from './rank-statistics.ts';

/** How ratings are to be read, and which runs belong together. */
export interface FitOptions {
  /** The task of each run: runs of one are never in both parts of a split. */
  readonly groups: readonly string[];
  /** `values`: ratings are numbers of one scale. `ranking`: only their order counts. */
  readonly method?: 'values' | 'ranking';
}

/** Weights learned from ratings, and whether they are any better. */
export interface FittedProfile {
  /** The weights to use: the fitted ones, or those of the reports when they are no better. */
  readonly weights: ScoringWeights;
  /** What fits all ratings best, better or not. */
  readonly fitted: ScoringWeights;
  /**
   * The share of pairs of runs, rated differently, that a score puts in the order of the ratings;
   * held out, by the weights of the reports and by those fitted to the other tasks.
   */
  readonly agreement: { readonly before: number; readonly fitted: number };
  /** The difference, with the middle 95 % of resampled splits. */
  readonly gain: Interval;
  /** Whether the whole interval is over 0. */
  readonly better: boolean;
  /** How many runs had a rating. */
  readonly rated: number;
  /** How many tasks the rated runs are of. */
  readonly tasks: number;
  /** How often the tasks were split to measure the gain. */
  readonly splits: number;
}

const MOST_SPLITS = 10;
const RESAMPLINGS = 1_000;
const SEED = 0xf17;
/** Fewer say nothing of ratings that are not among them. */
const LEAST_TASKS = 4;

/**
 * Weights on the simplex that best agree with a person's ratings: least squares of the ratings, which
 * may have any scale, or for rankings the pairwise logistic model (Bradley and Terry 1952).
 * Cross-validated over tasks, so that the gain told is one on tasks that were not fitted.
 *
 * @param reports - one a run, of one profile.
 * @param ratings - one a run; undefined where there is none.
 * @throws {@link CurationInputError} with fewer than 4 rated tasks, or ratings that are all the same.
 */
export function fitProfile(
  reports: readonly ScoreReport[],
  ratings: readonly (number | undefined)[],
  options: FitOptions,
): FittedProfile {
  const { groups, method = 'values' } = options;
  checkLength('ratings', ratings.length, reports.length);
  checkLength('groups', groups.length, reports.length);
  const first = reports[0];
  const names = Object.keys(first?.dimensions ?? {});
  const rated = reports.flatMap((report, run): RatedRun[] => {
    const rating = ratings[run];
    if (rating === undefined) return [];
    if (!Number.isFinite(rating)) {
      throw new CurationInputError(`ratings[${run}]`, 'a finite number', rating);
    }
    const values = names.map((name) => report.dimensions[name] ?? 0);
    return [{ values, rating, group: groups[run], before: report.composite }];
  });
  const tasks = [...new Set(rated.map(({ group }) => group))].sort(compareKeys);
  if (tasks.length < LEAST_TASKS) {
    throw new CurationInputError('ratings', `runs of at least ${LEAST_TASKS} tasks`, tasks.length);
  }
  if (new Set(rated.map(({ rating }) => rating)).size < 2) {
    throw new CurationInputError('ratings', 'at least two different ones', rated[0]?.rating);
  }
  const fit = (runs: readonly RatedRun[]): number[] =>
    method === 'values' ? leastSquaresWeights(runs) : pairwiseWeights(runs);
  const splits = Math.min(MOST_SPLITS, tasks.length >> 1);
  const counts = Array.from({ length: splits }, (_, split): SplitCounts => {
    const isHeldOut = ({ group }: RatedRun): boolean => tasks.indexOf(group) % splits === split;
    const weights = fit(rated.filter((run) => !isHeldOut(run)));
    const heldOut = rated.filter(isHeldOut);
    const scores = heldOut.map(({ values }) => weighted(values, weights));
    const before = heldOut.map((run) => run.before);
    return concordance(heldOut, before, scores);
  });
  const next = seededIntegers(SEED);
  const gains = Array.from({ length: RESAMPLINGS }, () =>
    gainOf(counts.map(() => counts[next(splits)])),
  ).filter((gain) => !Number.isNaN(gain));
  const gain = { value: gainOf(counts), ...middle(gains) };
  const better = gain.low > 0;
  const fitted = toWeights(names, fit(rated));
  return {
    weights: better ? fitted : (first as ScoreReport).weights,
    fitted,
    agreement: agreementOf(counts),
    gain,
    better,
    rated: rated.length,
    tasks: tasks.length,
    splits,
  };
}

/** A run that a person has rated. */
interface RatedRun {
  /** The dimensions, each in [0, 1]. */
  readonly values: readonly number[];
  readonly rating: number;
  readonly group: string;
  /** The composite by the weights of its report. */
  readonly before: number;
}

/** How many pairs a split has, and how many of them are put in the right order; ties half. */
interface SplitCounts {
  readonly pairs: number;
  readonly before: number;
  readonly fitted: number;
}

function concordance(
  runs: readonly RatedRun[],
  before: readonly number[],
  fitted: readonly number[],
): SplitCounts {
  let pairs = 0;
  const right = { before: 0, fitted: 0 };
  const agrees = (scores: readonly number[], a: number, b: number, order: number): number =>
    (Math.sign(scores[a] - scores[b]) * order + 1) / 2;
  for (let a = 0; a < runs.length; a++) {
    for (let b = a + 1; b < runs.length; b++) {
      const order = Math.sign(runs[a].rating - runs[b].rating);
      if (order === 0) continue;
      pairs++;
      right.before += agrees(before, a, b, order);
      right.fitted += agrees(fitted, a, b, order);
    }
  }
  return { pairs, ...right };
}

function agreementOf(counts: readonly SplitCounts[]): { before: number; fitted: number } {
  const total = (of: (split: SplitCounts) => number): number =>
    counts.reduce((sum, split) => sum + of(split), 0);
  const pairs = total((split) => split.pairs);
  return {
    before: total(({ before }) => before) / pairs,
    fitted: total(({ fitted }) => fitted) / pairs,
  };
}

function gainOf(counts: readonly SplitCounts[]): number {
  const { before, fitted } = agreementOf(counts);
  return fitted - before;
}

function weighted(values: readonly number[], weights: readonly number[]): number {
  return values.reduce((sum, value, index) => sum + value * weights[index], 0);
}

/** Four decimals that sum to 1, so that the file reads well and is a profile. */
function toWeights(names: readonly string[], values: readonly number[]): ScoringWeights {
  const rounded = values.map((value) => Math.round(value * 1e4));
  const greatest = rounded.indexOf(Math.max(...rounded));
  const sum = rounded.reduce((total, value) => total + value, 0);
  rounded[greatest] = rounded[greatest] + 1e4 - sum;
  return Object.fromEntries(
    names.map((name, index) => [name, rounded[index] / 1e4]),
  ) as unknown as ScoringWeights;
}
