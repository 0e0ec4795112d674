import type { Provenance } from '@kp/schema';
import type { RecordedRun, RecordedVerdict } from '../importer/importer.ts';
import { reasonOf } from '../outcome/verdict.ts';
import type { RunPlace, RunRules } from '../rules/run-rules.ts';
import { objectiveOf, provenanceOf, readTime } from './provenance-of.ts';
import { taskEvidence } from './task-evidence.ts';
import { traceId } from './trace-id.ts';

/**
 * A run that ended before its agent's first step: an API key that was refused, a container that did
 * not start. There is no trace to score or to remember, but the run took place. It counts as failed
 * in every rate, unless a label or an option of the caller says otherwise.
 */
export interface CrashedRun {
  /** Marks a run without a trace. */
  readonly kind: 'crashed';
  /** By the rules of a trace's id: the same run has the same id in every import. */
  readonly id: string;
  /** False, unless a label or an option says otherwise; `provenance.success` says where it is from. */
  readonly success: boolean;
  /** Why it ended, in one line of at most 300 characters: `AuthenticationError: invalid API key`. */
  readonly reason: string;
  /** What the run was to do, if that is recorded. */
  readonly objective?: string;
  /** The domain, as a trace's `metadata.task_domain` has it. */
  readonly domain: string;
  /** ISO 8601, if that is recorded. */
  readonly createdAt?: string;
  /** Identity of the run: `source` (task id, trial), `task`, `model`; the `verdict` that says it. */
  readonly provenance: Provenance;
}

/**
 * The record of a run that crashed before its first step.
 *
 * @param crash - what the recording says of it.
 * @param recordedId - the id that an earlier import gave it; left out: made from the content.
 */
export async function buildCrashedRun(
  format: string,
  recorded: RecordedRun,
  crash: RecordedVerdict,
  rules: RunRules,
  place: RunPlace,
  recordedId?: string,
): Promise<CrashedRun> {
  const run = rules.prepare(recorded);
  const id = recordedId ?? (await traceId(format, recorded));
  const decision = rules.decideCrashed(run, id, format, place);
  const time = readTime(run.createdAt);
  return {
    kind: 'crashed',
    id,
    success: decision.success ?? false,
    reason: reasonOf(crash),
    objective: objectiveOf(run),
    domain: decision.domain ?? run.domain ?? 'default',
    createdAt: time.from === 'unknown' ? undefined : time.value,
    provenance: provenanceOf(format, run, decision, [], await taskEvidence(run)),
  };
}
