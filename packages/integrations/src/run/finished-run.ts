import { buildTrace, type Provenance, type RecordedRun } from '@kp/importers';
import type { ReasoningTrace, RunDetails } from '@kp/schema';
import { IntegrationError } from './integration-error.ts';
import { withoutMissing } from './run-details.ts';
import { type RunEnding, withEnding } from './run-ending.ts';

/** What the caller knows of a run. It takes precedence over what the library's objects say. */
export interface RunFacts {
  /** If left out and not recorded, the run counts as succeeded, and the provenance says `assumed`. */
  readonly success?: boolean;
  /** 0 to 1. If left out and not recorded, 0.5, and the provenance says `assumed`. */
  readonly confidence?: number;
  /** `metadata.task_domain`, which selects the weight profile. Default `default`. */
  readonly domain?: string;
  /** What the run was to do, if the library's objects do not say so. */
  readonly objective?: string;
  /** The run's name, used for its trace id. By default the id is made from the content. */
  readonly id?: string;
  /** What the run took and whose it was: tokens, cost, session, user. */
  readonly details?: RunDetails;
  /** Where the run is in a tool for observability, for scores that are sent there. */
  readonly span?: SpanReference;
}

/** A span of a tool for observability: the context of a span of OpenTelemetry is one. */
export interface SpanReference {
  /** Id of the trace: 32 hexadecimal digits in OpenTelemetry. */
  readonly traceId: string;
  /** Id of the span: 16 hexadecimal digits in OpenTelemetry. */
  readonly spanId: string;
  /** Of OpenTelemetry; 1 if the trace is sampled. */
  readonly traceFlags?: number;
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
  /** The format's name, such as `ai-sdk`; the first part of the trace id. */
  readonly format: string;
  /** What was said, done and shown. */
  readonly run: RecordedRun;
  /** How the run ended, if it did not complete. */
  readonly ending?: RunEnding;
  /** Where the run is in a tool for observability, if the library says so. */
  readonly span?: SpanReference;
  /** The id of this run alone, where its source is a session or a trace that holds others. */
  readonly runId?: string;
}

/**
 * Makes a trace of a run that has ended.
 *
 * @param read - the run as read from its library.
 * @param facts - what the caller knows of it.
 * @throws {@link IntegrationError} `RUN_EMPTY` if the run completed and has no step to score.
 */
export async function finishRun(read: ReadRun, facts: RunFacts = {}): Promise<FinishedRun> {
  const { success, confidence, domain, objective, id, details = {} } = facts;
  const known: RecordedRun = {
    ...read.run,
    objective: objective ?? read.run.objective,
    source: id === undefined ? read.run.source : { id },
    details: { ...read.run.details, ...withoutMissing(details) },
  };
  const run = withEnding(known, read.ending);
  if (run.steps.length === 0) {
    throw new IntegrationError('RUN_EMPTY', {
      subject: `${read.format} run`,
      expected: 'at least one thought, tool call or observation',
      received: 'none',
      remedy: 'pass the run when it has ended, with all of its messages',
    });
  }
  const assumeSuccess = read.ending === undefined;
  const options = { success, confidence, domain, assumeSuccess };
  const built = await buildTrace(read.format, run, options);
  if (built.kind === 'trace') return { trace: built.trace, provenance: built.provenance };
  throw new TypeError('assumeSuccess: expected a trace with a success, received one without');
}
