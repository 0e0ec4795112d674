import { uniformInt } from 'pure-rand/distribution/uniformInt';
import { xoroshiro128plus } from 'pure-rand/generator/xoroshiro128plus';
import type { RunFields, ScoredRun } from './run.ts';

/** One task that both sets of runs attempt. */
interface TaskComparison {
  /** What the recordings call the task, null where runs are matched by their objective. */
  readonly task: string | null;
  readonly objective: string;
  readonly base: TaskScores;
  readonly new: TaskScores;
  /** Mean score of the new runs minus that of the base. */
  readonly difference: number;
  readonly result: 'win' | 'loss' | 'tie';
}

interface TaskScores {
  readonly runs: number;
  /** Mean score. */
  readonly score: number;
  /** Share of the runs with a verdict that passed, null when none has one. */
  readonly passed: number | null;
}

/** Two sets of runs, compared task by task. */
export interface Comparison {
  /** The tasks of both, the greatest loss first. */
  readonly tasks: readonly TaskComparison[];
  readonly wins: number;
  readonly losses: number;
  readonly ties: number;
  /** Mean of the differences, each task counting once; null without a task. */
  readonly meanDifference: number | null;
  /** 95 % bootstrap interval of the mean difference, by task; null with fewer than two tasks. */
  readonly interval: { readonly low: number; readonly high: number } | null;
  /** Share of runs that passed, mean over the tasks with verdicts on both sides. */
  readonly passed: { readonly tasks: number; readonly base: number; readonly new: number } | null;
  /** Runs of tasks that the other set does not attempt. */
  readonly unmatched: { readonly base: UnmatchedRuns; readonly new: UnmatchedRuns };
}

export interface UnmatchedRuns {
  readonly runs: number;
  readonly tasks: number;
  /** The first few of their tasks. */
  readonly first: readonly string[];
}

/** The scores of one set of runs by task; keeps no run. */
export interface TaskTable {
  add(scored: ScoredRun): void;
  readonly rows: ReadonlyMap<string, TaskRow>;
}

interface TaskRow {
  readonly task: string | null;
  readonly objective: string;
  runs: number;
  scoreSum: number;
  verdicts: number;
  passes: number;
}

// Scores are shown to three decimals; what differs by less looks the same.
const TIE = 0.0005;
const RESAMPLES = 2000;
const SEED = 1;
const NAMED = 3;

export function createTaskTable(): TaskTable {
  const rows = new Map<string, TaskRow>();
  return {
    rows,
    add({ report, fields }) {
      const key = taskKey(fields);
      const { task, objective } = fields;
      const empty = { task, objective, runs: 0, scoreSum: 0, verdicts: 0, passes: 0 };
      const row: TaskRow = rows.get(key) ?? empty;
      rows.set(key, row);
      row.runs++;
      row.scoreSum += report.score;
      if (fields.success === null) return;
      row.verdicts++;
      if (fields.success) row.passes++;
    },
  };
}

/**
 * Compares two sets of runs by task: the runs of one task in one set count as their mean. The
 * interval resamples tasks, not runs, since runs of one task resemble each other; with the same
 * runs it is always the same.
 *
 * @see Efron and Tibshirani, An Introduction to the Bootstrap, 1993, section 13.3 (percentiles).
 */
export function compareTasks(base: TaskTable, next: TaskTable): Comparison {
  const tasks: TaskComparison[] = [];
  for (const [key, before] of base.rows) {
    const after = next.rows.get(key);
    if (after === undefined) continue;
    const { task, objective } = before;
    const scores = { base: scoresOf(before), new: scoresOf(after) };
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
    interval: bootstrapInterval(differences),
    passed: comparePassed(tasks),
    unmatched: { base: unmatched(base, next), new: unmatched(next, base) },
  };
}

/** Runs of one domain with one name for the task; without a name, with one objective. */
function taskKey({ task, domain, objective }: RunFields): string {
  return task === null
    ? `objective ${objective.replace(/\s+/g, ' ').trim()}`
    : `task ${JSON.stringify([domain, task])}`;
}

function scoresOf({ runs, scoreSum, verdicts, passes }: TaskRow): TaskScores {
  return { runs, score: scoreSum / runs, passed: verdicts === 0 ? null : passes / verdicts };
}

function resultOf(difference: number): TaskComparison['result'] {
  if (Math.abs(difference) < TIE) return 'tie';
  return difference > 0 ? 'win' : 'loss';
}

function bootstrapInterval(differences: readonly number[]): Comparison['interval'] {
  const { length } = differences;
  if (length < 2) return null;
  const random = xoroshiro128plus(SEED);
  const means = new Float64Array(RESAMPLES);
  for (let resample = 0; resample < RESAMPLES; resample++) {
    let sum = 0;
    for (let i = 0; i < length; i++) sum += differences[uniformInt(random, 0, length - 1)] ?? 0;
    means[resample] = sum / length;
  }
  means.sort();
  const at = (share: number): number => means[Math.round(share * (RESAMPLES - 1))] ?? 0;
  return { low: at(0.025), high: at(0.975) };
}

function comparePassed(tasks: readonly TaskComparison[]): Comparison['passed'] {
  const judged = tasks.flatMap((task) => {
    const [before, after] = [task.base.passed, task.new.passed];
    return before === null || after === null ? [] : [{ before, after }];
  });
  if (judged.length === 0) return null;
  return {
    tasks: judged.length,
    base: mean(judged.map(({ before }) => before)),
    new: mean(judged.map(({ after }) => after)),
  };
}

function unmatched(of: TaskTable, other: TaskTable): UnmatchedRuns {
  const rows = [...of.rows].filter(([key]) => !other.rows.has(key)).map(([, row]) => row);
  return {
    runs: rows.reduce((sum, { runs }) => sum + runs, 0),
    tasks: rows.length,
    first: rows.slice(0, NAMED).map(({ task, objective }) => task ?? objective),
  };
}

function mean(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}
