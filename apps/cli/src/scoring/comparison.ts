import { type ComparedRun, type Comparison, comparedRun, compareTasks } from '@kp/curation';
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
  return compareTasks(comparedRuns(base), comparedRuns(next), identity);
}

/** Returns the compared parts of the runs of a set. */
export function comparedRuns({ results }: RunSet): ComparedRun[] {
  return results.map(({ fields, score }) =>
    comparedRun({ ...fields, successSource: fields.successFrom, score }),
  );
}
