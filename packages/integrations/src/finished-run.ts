import { buildTrace, type Provenance, type RecordedRun } from '@kp/importers';
import type { ReasoningTrace } from '@kp/schema';
import { IntegrationError } from './integration-error.ts';

/** What the caller knows of a run beside the library's objects. All of it is before what they say. */
export interface RunFacts {
  /** Left out and not recorded, the run counts as succeeded, and the provenance says `assumed`. */
  readonly success?: boolean;
  /** 0 to 1; 0.5, said to be assumed, when left out and not recorded. */
  readonly confidence?: number;
  /** `metadata.task_domain`, which picks the profile; `default` when left out. */
  readonly domain?: string;
  /** What the run was to do, where the library's objects do not hold it. */
  readonly objective?: string;
  /** What the run is called; an id made from its content when left out. */
  readonly id?: string;
}

/** A run as a trace, with the source of each of its fields. */
export interface FinishedRun {
  /** The run as a trace. */
  readonly trace: ReasoningTrace;
  /** Where each field of the trace comes from. */
  readonly provenance: Provenance;
}

/** A run as an integration reads it from its library. */
export interface ReadRun {
  /** Such as `ai-sdk`; the first part of the trace's id. */
  readonly format: string;
  /** What was said, done and shown. */
  readonly run: RecordedRun;
}

/**
 * Makes a trace of a run that a library has just ended.
 *
 * @param read - the run as it was read.
 * @param facts - what the caller knows beside it.
 * @throws {@link IntegrationError} `RUN_EMPTY` when it has no step to score.
 */
export async function finishRun(read: ReadRun, facts: RunFacts = {}): Promise<FinishedRun> {
  const { success, confidence, domain, objective, id } = facts;
  const run: RecordedRun = {
    ...read.run,
    objective: objective ?? read.run.objective,
    source: id === undefined ? read.run.source : { id },
  };
  if (run.steps.length === 0) {
    throw new IntegrationError('RUN_EMPTY', {
      subject: `${read.format} run`,
      expected: 'at least one thought, tool call or observation',
      received: 'none',
      remedy: 'Hand it over when the run has ended, with all of its messages.',
    });
  }
  const built = await buildTrace(read.format, run, {
    success,
    confidence,
    domain,
    assumeSuccess: true,
  });
  if (built.kind === 'trace') return { trace: built.trace, provenance: built.provenance };
  throw new TypeError('assumeSuccess: expected a trace with a success, received one without');
}
