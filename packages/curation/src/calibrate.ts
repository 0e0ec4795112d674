import type { SimilarityGraph } from '@kp/vector-cache';
import { CurationInputError, checkLength, checkNumber, TooFewGroupsError } from './errors.ts';

import { estimateNearestUnrelated } from './spacings.ts';

/** What a threshold is calibrated on, and at which rate of error. */
export interface CalibrationOptions {
  /** The task of each run. */
  readonly groups: readonly string[];
  /** The share of new tasks that may be taken for copies, over 0 to 1. */
  readonly falseDuplicateRate: number;
}

/** A threshold, and how it came about. */
export interface CalibratedThreshold {
  /** A run is redundant when its nearest is more similar than this. */
  readonly threshold: number;
  /** Which of the calibration values it is, from the smallest; from 1. */
  readonly rank: number;
  /** How many tasks there are, and so calibration values. */
  readonly tasks: number;
}

/** Above which similarity a run is redundant, and below which it is new. */
export interface Bands {
  /** Over this a run is redundant. */
  readonly redundantAbove: number;
  /** Below this a run is kept as new; absent when too few tasks have two runs to say. */
  readonly newBelow?: number;
  /** Where the thresholds come from. Only `conformal` ones keep the rates stated. */
  readonly method: 'conformal' | 'estimated';
  /** The share of new tasks that may be taken for copies. */
  readonly falseDuplicateRate: number;
  /** The share of repeated tasks that may be taken for new, with `newBelow` of tasks. */
  readonly falseNewRate: number;
  /** Tasks that they were calibrated on; 0 when estimated. */
  readonly tasks: number;
}

/** What to do with a run: keep it, look at it, or leave it out. */
export type Band = 'keep' | 'uncertain' | 'redundant';

/** At which rates of error runs may be sorted into bands. */
export interface BandOptions {
  /** The task of each run; left out, the bands are estimated and guarantee nothing. */
  readonly groups?: readonly string[];
  /** 0.1 when left out. */
  readonly falseDuplicateRate?: number;
  /** 0.1 when left out. */
  readonly falseNewRate?: number;
}

/** Slack for products that are whole numbers but for rounding: 25 × 0.56 is 14. */
const SLACK = 1e-9;

/**
 * The threshold over which a new task is taken for a copy with at most the probability stated, by
 * split conformal prediction: one run a task, the one with the smallest key; its value is the
 * similarity to the nearest run of another task; of the m values the `⌈(m+1)(1−α)⌉ + 1`-th
 * smallest. One more than usual, because the closest pair is in it twice: see docs/curation.md.
 *
 * The rate holds over the draw of tasks; over single corpora it scatters about it.
 *
 * @param graph - the corpus.
 * @see Bates et al. 2021, Testing for Outliers with Conformal p-values, arXiv 2104.08279.
 * @throws {@link TooFewGroupsError} with fewer than `2/α − 1` tasks.
 */
export function calibrateThreshold(
  graph: SimilarityGraph,
  options: CalibrationOptions,
): CalibratedThreshold {
  const { groups, falseDuplicateRate: rate } = options;
  checkRate('falseDuplicateRate', rate);
  const chosen = oneRunPerTask(graph, groups);
  const tasks = chosen.length;
  const needed = Math.max(2, Math.ceil(2 / rate - 1 - SLACK));
  if (tasks < needed) throw new TooFewGroupsError(rate, needed, tasks);
  const values = chosen.map((run) => nearestWhere(graph, groups, run, false)).sort(ascending);
  const rank = Math.ceil((tasks + 1) * (1 - rate) - SLACK) + 1;
  return { threshold: values[rank - 1], rank, tasks };
}

/**
 * Both thresholds. Between them nothing can be said at the rates asked for. `newBelow` is the
 * `⌊(m+1)β⌋`-th smallest similarity of a task's run to the nearest of its own task, of the m tasks
 * with two runs or more, and never over `redundantAbove`.
 *
 * Without tasks both are one estimate from how the similarities of each run's own neighbours thin
 * out; it is labelled so and keeps no rate.
 *
 * @param graph - the corpus.
 * @throws {@link TooFewGroupsError} when there are tasks, but too few.
 */
export function calibrateThresholds(graph: SimilarityGraph, options: BandOptions = {}): Bands {
  const { groups, falseDuplicateRate = 0.1, falseNewRate = 0.1 } = options;
  checkRate('falseDuplicateRate', falseDuplicateRate);
  checkRate('falseNewRate', falseNewRate);
  if (groups === undefined) {
    const redundantAbove = estimateNearestUnrelated(graph, falseDuplicateRate);
    return { redundantAbove, method: 'estimated', falseDuplicateRate, falseNewRate, tasks: 0 };
  }
  const { threshold, tasks } = calibrateThreshold(graph, { groups, falseDuplicateRate });
  const counts = new Map<string, number>();
  for (const group of groups) counts.set(group, (counts.get(group) ?? 0) + 1);
  const repeated = oneRunPerTask(graph, groups)
    .filter((run) => (counts.get(groups[run]) ?? 0) > 1)
    .map((run) => nearestWhere(graph, groups, run, true))
    .sort(ascending);
  const rank = Math.floor((repeated.length + 1) * falseNewRate + SLACK);
  const bands = { redundantAbove: threshold, falseDuplicateRate, falseNewRate, tasks };
  const lower = repeated[rank - 1];
  if (lower === undefined) return { ...bands, method: 'conformal' };
  return { ...bands, method: 'conformal', newBelow: Math.min(lower, threshold) };
}

/**
 * The band of a run whose nearest has the similarity.
 *
 * @param similarity - to the nearest other run, in [-1, 1].
 * @param bands - the thresholds.
 */
export function bandOf(similarity: number, bands: Bands): Band {
  if (similarity > bands.redundantAbove) return 'redundant';
  if (bands.method === 'estimated') return 'keep';
  return bands.newBelow !== undefined && similarity < bands.newBelow ? 'keep' : 'uncertain';
}

function checkRate(subject: string, rate: number): void {
  checkNumber(subject, rate, 0, 1);
  if (rate === 0) throw new CurationInputError(subject, 'a rate over 0', rate);
}

/** The run with the smallest key of each task. */
function oneRunPerTask(graph: SimilarityGraph, groups: readonly string[]): number[] {
  checkLength('groups', groups.length, graph.size);
  const chosen = new Map<string, number>();
  for (const run of graph.order) {
    if (!chosen.has(groups[run])) chosen.set(groups[run], run);
  }
  return [...chosen.values()];
}

/**
 * The greatest similarity to a run of the same task, or of another. If the list of neighbours has no
 * such run, all runs are compared, so that the answer never depends on how many are kept.
 */
function nearestWhere(
  { size, neighbors, indices, similarities, similarity }: SimilarityGraph,
  groups: readonly string[],
  run: number,
  sameTask: boolean,
): number {
  const matches = (other: number): boolean => (groups[other] === groups[run]) === sameTask;
  for (let at = run * neighbors; at < (run + 1) * neighbors; at++) {
    if (matches(indices[at])) return similarities[at];
  }
  let nearest = -1;
  for (let other = 0; other < size; other++) {
    if (other !== run && matches(other)) nearest = Math.max(nearest, similarity(run, other));
  }
  return nearest;
}

function ascending(a: number, b: number): number {
  return a - b;
}
