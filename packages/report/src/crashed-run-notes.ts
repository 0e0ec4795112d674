import { assertType } from '@kp/foundation';
import type { CrashedRunNote } from './report-data.ts';

/** A run that crashed before its first step. */
export interface CrashedRunFacts {
  /** Id of the run. */
  readonly id: string;
  /** Task name in the recording; null or undefined without one. */
  readonly task?: string | null;
  /** Objective of the run; undefined or empty without one. */
  readonly objective?: string;
  /** The reason for the crash. */
  readonly reason: string;
}

/**
 * Describes the crashed runs of one of two sets. A run without a task is named after its objective, or its id.
 *
 * @param set - the set of the runs.
 * @param crashed - the runs.
 */
export function crashedRunNotes(
  set: CrashedRunNote['set'],
  crashed: readonly CrashedRunFacts[],
): CrashedRunNote[] {
  assertType('crashed', 'an array', crashed);
  return crashed.map(({ id, task, objective = '', reason }) => {
    if (typeof task === 'string') return { set, task, reason };
    if (objective === '') return { set, task: id, reason };
    return { set, task: objective, isObjective: true, reason };
  });
}
