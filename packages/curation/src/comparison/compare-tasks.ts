import { assertType } from '@kp/foundation';
import { checkEntries, checkList } from '../corpus/errors.ts';
import { meanInterval } from '../statistics/mean-interval.ts';
import { mean } from '../statistics/rank-statistics.ts';
import type { TaskIdentity } from './task-identity.ts';

/** The part of a run that is compared. */
export interface ComparedRun {
  /** Task name in the recording; null without one. */
  readonly task: string | null;
  /** Objective of the run, in full. */
  readonly objective: string;
  /** Outcome; null if unknown. */
  readonly success: boolean | null;
  /**
   * In [0, 1], with the novelty {@link COMPARED_NOVELTY}; null for a run that crashed before its first step, which
   * counts as 0.
   */
  readonly score: number | null;
}

/** A task with runs in both sets. */
export interface TaskComparison {
  /** Task name in the recordings; null if runs are matched by objective. */
  readonly task: string | null;
  /** Objective of the first run. */
  readonly objective: string;
  /** The old runs. */
  readonly base: TaskScores;
  /** The new runs. */
  readonly new: TaskScores;
  /** Mean score of the new runs minus that of the base runs. */
  readonly difference: number;
  /** A tie if the difference is below 0.0005. */
  readonly result: 'win' | 'loss' | 'tie';
}

/** The runs of one set on one task. */
export interface TaskScores {
  /** Number of runs, including crashed ones. */
  readonly runs: number;
  /** Runs that crashed before their first step. */
  readonly crashed: number;
  /** Mean score of the runs; a crashed run counts as 0. */
  readonly score: number;
  /** Number of runs with an outcome, including crashed ones. */
  readonly verdicts: number;
  /** Share of runs with an outcome that passed; null if none has an outcome. */
  readonly passed: number | null;
}

/** Facts about one set of runs. */
export interface SetFacts {
  /** Number of runs, including crashed ones. */
  readonly runs: number;
  /** Number of runs that crashed before their first step. */
  readonly crashed: number;
  /** Number of runs with an outcome, including crashed ones. */
  readonly verdicts: number;
  /** Share of these that passed; null if there are none. */
  readonly passRate: number | null;
}

/** A base task of which no new run has a score. */
export interface MissingTask {
  /** Task name in the recordings; null if runs are matched by objective. */
  readonly task: string | null;
  /** Objective of the first base run. */
  readonly objective: string;
  /** Whether there are no new runs, or all of them crashed; then the task is also compared, with score 0. */
  readonly reason: 'absent' | 'crashed';
}

/** A task-by-task comparison of two sets of runs. */
export interface Comparison {
  /** Tasks with runs in both sets, greatest loss first. */
  readonly tasks: readonly TaskComparison[];
  /** Number of tasks with a greater score. */
  readonly wins: number;
  /** Number of tasks with a lower score. */
  readonly losses: number;
  /** Number of tasks with the same score. */
  readonly ties: number;
  /** Mean of the task differences; null without a task. */
  readonly meanDifference: number | null;
  /**
   * 95 % interval of the mean difference, by task: an improvement or a loss if it does not contain 0. Null with
   * fewer than 6 tasks, which are too few to tell.
   */
  readonly interval: { readonly low: number; readonly high: number } | null;
  /** Pass rate, averaged over the tasks with outcomes in both sets. */
  readonly passed: { readonly tasks: number; readonly base: number; readonly new: number } | null;
  /** Facts about each set. */
  readonly sets: { readonly base: SetFacts; readonly new: SetFacts };
  /** Base tasks of which no new run has a score. */
  readonly missing: readonly MissingTask[];
  /** Runs of tasks that only one set attempts. */
  readonly unmatched: { readonly base: UnmatchedRuns; readonly new: UnmatchedRuns };
  /** Task names that may refer to one task or to several. */
  readonly undecided: readonly string[];
}

/** Runs of tasks that only one of two sets attempts. */
export interface UnmatchedRuns {
  /** Number of runs. */
  readonly runs: number;
  /** Number of their tasks. */
  readonly tasks: number;
  /** The first few task names. */
  readonly first: readonly string[];
}

/**
 * The novelty of every run in a comparison: `rescore(report, { novelty: COMPARED_NOVELTY })`. Otherwise a second
 * attempt at a task would lower the score of its set, although it says nothing about its agent.
 */
export const COMPARED_NOVELTY = 1;

// Scores are shown with three decimals, so smaller differences are invisible.
const TIE = 0.0005;
const NAMED = 3;

interface TaskRow {
  readonly task: string | null;
  readonly objective: string;
  runs: number;
  crashed: number;
  scoreSum: number;
  verdicts: number;
  passes: number;
}

/**
 * Compares two sets of runs by task, with the mean over the runs of each task. The interval is that
 * of Student's t for the differences of the tasks rather than of the runs, because runs of one task are correlated.
 *
 * @param base - the old runs.
 * @param next - the new runs.
 * @param identity - the task of each run, first of the old ones and then of the new ones; see
 * {@link identifyTasks}.
 * @throws {@link CurationInputError} if there is not one key per run.
 * @see Student, The probable error of a mean, Biometrika 6, 1908.
 */
export function compareTasks(
  base: readonly ComparedRun[],
  next: readonly ComparedRun[],
  identity: Pick<TaskIdentity, 'keys' | 'undecided'>,
): Comparison {
  checkList('base', base);
  checkList('next', next);
  assertType('identity', 'an object', identity);
  const { keys, undecided } = identity;
  checkEntries('identity.keys', keys, base.length + next.length);
  const before = rowsOf(base, keys);
  const after = rowsOf(next, keys.slice(base.length));
  const tasks: TaskComparison[] = [];
  const missing: MissingTask[] = [];
  for (const [key, row] of before) {
    const other = after.get(key);
    const { task, objective } = row;
    if (other === undefined) {
      missing.push({ task, objective, reason: 'absent' });
      continue;
    }
    if (other.crashed === other.runs) missing.push({ task, objective, reason: 'crashed' });
    const scores = { base: scoresOf(row), new: scoresOf(other) };
    const difference = scores.new.score - scores.base.score;
    tasks.push({ task, objective, ...scores, difference, result: resultOf(difference) });
  }
  const differences = tasks.map(({ difference }) => difference);
  const amount = (result: TaskComparison['result']): number =>
    tasks.filter((task) => task.result === result).length;
  return {
    tasks: tasks.toSorted((a, b) => a.difference - b.difference),
    wins: amount('win'),
    losses: amount('loss'),
    ties: amount('tie'),
    meanDifference: tasks.length === 0 ? null : mean(differences),
    interval: meanInterval(differences),
    passed: comparePassed(before, after),
    sets: { base: factsOf(before), new: factsOf(after) },
    missing,
    unmatched: { base: unmatched(before, after), new: unmatched(after, before) },
    undecided,
  };
}

function rowsOf(runs: readonly ComparedRun[], keys: readonly string[]): Map<string, TaskRow> {
  const rows = new Map<string, TaskRow>();
  for (const [index, { task, objective, success, score }] of runs.entries()) {
    const key = keys[index] ?? '';
    const empty = { runs: 0, crashed: 0, scoreSum: 0, verdicts: 0, passes: 0 };
    const row: TaskRow = rows.get(key) ?? { task, objective, ...empty };
    rows.set(key, row);
    row.runs++;
    if (score === null) row.crashed++;
    else row.scoreSum += score;
    if (success === null) continue;
    row.verdicts++;
    if (success) row.passes++;
  }
  return rows;
}

function scoresOf({ runs, crashed, scoreSum, verdicts, passes }: TaskRow): TaskScores {
  const passed = verdicts === 0 ? null : passes / verdicts;
  return { runs, crashed, score: scoreSum / runs, verdicts, passed };
}

function factsOf(rows: ReadonlyMap<string, TaskRow>): SetFacts {
  const facts = { runs: 0, crashed: 0, verdicts: 0 };
  let passes = 0;
  for (const row of rows.values()) {
    facts.runs += row.runs;
    facts.crashed += row.crashed;
    facts.verdicts += row.verdicts;
    passes += row.passes;
  }
  return { ...facts, passRate: facts.verdicts === 0 ? null : passes / facts.verdicts };
}

function resultOf(difference: number): TaskComparison['result'] {
  if (Math.abs(difference) < TIE) return 'tie';
  return difference > 0 ? 'win' : 'loss';
}

function comparePassed(
  before: ReadonlyMap<string, TaskRow>,
  after: ReadonlyMap<string, TaskRow>,
): Comparison['passed'] {
  const judged: { readonly base: number; readonly new: number }[] = [];
  for (const [key, row] of before) {
    const other = after.get(key);
    if (other === undefined || row.verdicts === 0 || other.verdicts === 0) continue;
    judged.push({ base: row.passes / row.verdicts, new: other.passes / other.verdicts });
  }
  if (judged.length === 0) return null;
  return {
    tasks: judged.length,
    base: mean(judged.map((task) => task.base)),
    new: mean(judged.map((task) => task.new)),
  };
}

function unmatched(
  of: ReadonlyMap<string, TaskRow>,
  other: ReadonlyMap<string, TaskRow>,
): UnmatchedRuns {
  const rows = [...of].filter(([key]) => !other.has(key)).map(([, row]) => row);
  return {
    runs: rows.reduce((sum, { runs }) => sum + runs, 0),
    tasks: rows.length,
    first: rows.slice(0, NAMED).map(({ task, objective }) => task ?? objective),
  };
}
