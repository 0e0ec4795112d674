import { type ComparedRun, type Comparison, compareTasks } from '@kp/curation';
import type { CrashedRun, ScoredRun } from '../runs/run.ts';
import { type GroupedRun, type GroupField, groupRuns } from '../runs/task-groups.ts';

/** One set of runs; stores only the compared values. */
export interface RunSet {
  add(scored: Pick<ScoredRun, 'report' | 'fields' | 'run'>): void;
  addCrashed(run: CrashedRun): void;
  readonly results: readonly RunResult[];
}

interface RunResult extends GroupedRun {
  /** Null for a run that crashed. */
  readonly score: number | null;
}

export function createRunSet(): RunSet {
  const results: RunResult[] = [];
  return {
    results,
    add({ report, fields, run }) {
      results.push({ fields, provenance: run.provenance, score: report.score });
    },
    addCrashed({ fields, provenance }) {
      results.push({ fields, provenance, score: null });
    },
  };
}

/** Compares two sets of runs by task, or by another field. */
export function compareSets(base: RunSet, next: RunSet, by: GroupField = 'task'): Comparison {
  const identity = groupRuns([...base.results, ...next.results], by);
  return compareTasks(base.results.map(comparedRun), next.results.map(comparedRun), identity);
}

/** Returns the compared part of a run. A run that its score counts as failed is not a run without a verdict. */
export function comparedRun({ fields, score }: RunResult): ComparedRun {
  const { task, objective, success, successFrom, countedAs } = fields;
  const isAssumedFailure = successFrom === 'assumed' && !countedAs;
  return { task, objective, success: isAssumedFailure ? false : success, score };
}
