import { seededIntegers } from '@kp/foundation';
import type { ScoreReport, ScoringWeights } from '@kp/scoring';
import { checkReports } from '../corpus/check-reports.ts';
import { CurationInputError, checkEntries, checkOptions } from '../corpus/errors.ts';
import { compareKeys, groupBy } from '../corpus/key-order.ts';
import { leastSquaresWeights, pairwiseWeights } from '../statistics/nonnegative-weights.ts';
import { forEachPair, type Interval, mean, middle } from '../statistics/rank-statistics.ts';

/** How to read the ratings, and which runs belong together. */
export interface FitOptions {
  /** The task of each run: runs of one task are never in both parts of a split. */
  readonly groups: readonly string[];
  /** `values` (the default): ratings are numbers of one scale. `ranking`: only their order counts. */
  readonly method?: 'values' | 'ranking';
  /** Stops the fit: the promise rejects with the signal's reason. */
  readonly signal?: AbortSignal;
}

/** Weights learned from ratings, and whether they are better than those of the reports. */
export interface FittedProfile {
  /** The weights to use: the fitted ones if they are better, else those of the reports. */
  readonly weights: ScoringWeights;
  /** The weights that fit all ratings best. */
  readonly fitted: ScoringWeights;
  /**
   * The share of pairs of held-out runs with different ratings that a score puts in the order of the
   * ratings: by the weights of the reports, and by weights fitted to the other tasks.
   */
  readonly agreement: { readonly before: number; readonly fitted: number };
  /** The difference, with the middle 95 % of resampled splits. */
  readonly gain: Interval;
  /** Whether the whole interval is above 0. */
  readonly better: boolean;
  /** How many runs had a rating. */
  readonly rated: number;
  /** How many tasks the rated runs are from. */
  readonly tasks: number;
  /** How often the tasks were split to measure the gain. */
  readonly splits: number;
}

const MOST_SPLITS = 10;
const RESAMPLINGS = 1_000;
const SEED = 0xf17;
/** Fewer tasks say nothing about runs that are not among them. */
const LEAST_TASKS = 4;

/**
 * Weights on the simplex that best agree with a person's ratings: least squares of the standardised
 * ratings, or for rankings the pairwise logistic model (Bradley and Terry 1952). Cross-validated over
 * tasks, so the reported gain is for tasks that were not fitted. Every split has low and high
 * ratings: tasks are dealt out in the order of their mean ratings.
 *
 * @param reports - one per run, all of one profile.
 * @param ratings - one per run; undefined for runs without a rating.
 * @throws (rejects) {@link CurationInputError} if a report, a rating or an option is invalid, if
 * there are fewer than 4 rated tasks, or if all ratings are equal; the signal's reason.
 */
export async function fitProfile(
  reports: readonly ScoreReport[],
  ratings: readonly (number | undefined)[],
  options: FitOptions,
): Promise<FittedProfile> {
  checkOptions(options);
  const { method = 'values', signal } = options;
  if (method !== 'values' && method !== 'ranking') {
    throw new CurationInputError('method', 'values or ranking', method);
  }
  const rated = readRatings(reports, ratings, options.groups);
  const tasks = tasksByRating(rated);
  if (tasks.length < LEAST_TASKS) {
    throw new CurationInputError('ratings', `runs of at least ${LEAST_TASKS} tasks`, tasks.length);
  }
  if (rated.every(({ rating }) => rating === rated[0].rating)) {
    throw new CurationInputError('ratings', 'at least two different ratings', rated[0].rating);
  }
  const fit = async (runs: readonly RatedRun[]): Promise<number[]> => {
    await new Promise((resolve) => setTimeout(resolve));
    signal?.throwIfAborted();
    return method === 'values' ? leastSquaresWeights(runs) : pairwiseWeights(runs);
  };
  const splits = Math.min(MOST_SPLITS, tasks.length >> 1);
  const counts: SplitCounts[] = [];
  for (let split = 0; split < splits; split++) {
    const isHeldOut = (_: unknown, task: number): boolean => task % splits === split;
    const weights = await fit(tasks.filter((task, at) => !isHeldOut(task, at)).flat());
    counts.push(concordance(tasks.filter(isHeldOut).flat(), weights));
  }
  const next = seededIntegers(SEED);
  const gains = Array.from({ length: RESAMPLINGS }, () =>
    gainOf(counts.map(() => counts[next(splits)])),
  ).filter((gain) => !Number.isNaN(gain));
  const gain = { value: gainOf(counts), ...middle(gains) };
  const better = gain.low > 0;
  const fitted = toWeights(Object.keys(reports[0].dimensions), await fit(rated));
  return {
    weights: better ? fitted : reports[0].weights,
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

function readRatings(
  reports: readonly ScoreReport[],
  ratings: readonly (number | undefined)[],
  groups: readonly string[],
): RatedRun[] {
  checkReports(reports);
  checkEntries('ratings', ratings, reports.length);
  checkEntries('groups', groups, reports.length);
  const names = Object.keys(reports[0]?.dimensions ?? {});
  return reports.flatMap((report, run): RatedRun[] => {
    const rating = ratings[run];
    if (rating === undefined) return [];
    if (!Number.isFinite(rating)) {
      throw new CurationInputError(`ratings[${run}]`, 'a finite number', rating);
    }
    const values = names.map((name) => report.dimensions[name] ?? 0);
    return [{ values, rating, group: groups[run], before: report.composite }];
  });
}

/** The runs of each task, in ascending order of the mean rank of their ratings. */
function tasksByRating(rated: readonly RatedRun[]): RatedRun[][] {
  const levels = [...new Set(rated.map(({ rating }) => rating))].sort((a, b) => a - b);
  const rankOf = new Map(levels.map((rating, rank) => [rating, rank]));
  return [...groupBy(rated, ({ group }) => group).values()]
    .map((runs) => ({ runs, rank: mean(runs.map(({ rating }) => rankOf.get(rating) ?? 0)) }))
    .sort((a, b) => a.rank - b.rank || compareKeys(a.runs[0].group, b.runs[0].group))
    .map(({ runs }) => runs);
}

/** How many pairs a split has, and how many of them are put in the right order; ties half. */
interface SplitCounts {
  readonly pairs: number;
  readonly before: number;
  readonly fitted: number;
}

function concordance(runs: readonly RatedRun[], weights: readonly number[]): SplitCounts {
  const scores = runs.map(({ values }) =>
    values.reduce((sum, value, index) => sum + value * weights[index], 0),
  );
  const counts = { pairs: 0, before: 0, fitted: 0 };
  forEachPair(runs.length, (a, b) => {
    const order = Math.sign(runs[a].rating - runs[b].rating);
    if (order === 0) return;
    counts.pairs++;
    counts.before += (Math.sign(runs[a].before - runs[b].before) * order + 1) / 2;
    counts.fitted += (Math.sign(scores[a] - scores[b]) * order + 1) / 2;
  });
  return counts;
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

/** Four decimals that sum to 1, so that the file reads well and is a profile. */
function toWeights(names: readonly string[], values: readonly number[]): ScoringWeights {
  const rounded = values.map((value) => Math.round(value * 1e4));
  const greatest = rounded.reduce((best, value, at) => (value > rounded[best] ? at : best), 0);
  rounded[greatest] += 1e4 - rounded.reduce((total, value) => total + value, 0);
  return Object.fromEntries(
    names.map((name, index) => [name, rounded[index] / 1e4]),
  ) as unknown as ScoringWeights;
}
