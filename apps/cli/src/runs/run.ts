import { type ReasoningTrace, type ScoreReport, TraceValidationError } from '@knowledgepulse/sdk';
import type { Band } from '@kp/curation';
import { messageOf } from '@kp/foundation';
import type { JsonValue, Provenance } from '@kp/importers';
import type { Evidence } from './evidence.ts';
import type { RunFields } from './run-fields.ts';

/** A recorded run as a trace, and where it comes from. */
export interface Run {
  /** Not validated yet. */
  readonly trace: ReasoningTrace;
  readonly file: string;
  readonly line: number;
  readonly format: string;
  /** Undefined for traces that were not imported. */
  readonly provenance: Provenance | undefined;
  /** The run's own part of the recording, as found; null where it is not needed any more. */
  readonly record: JsonValue;
}

/** A report and the run that it is about. */
export interface ScoredRun {
  readonly report: ScoreReport;
  readonly run: Run;
  readonly fields: RunFields;
  /** What its similarity to the nearest says of it, where bands were given. */
  readonly band?: Band;
  /** What else is known of its outcome, where that was asked for. */
  readonly evidence?: Evidence;
}

/** A run that crashed before its first step: it failed, and there is nothing to score. */
export interface CrashedRun {
  readonly kind: 'crashed';
  readonly fields: RunFields;
  /** Why it ended, in one line. */
  readonly reason: string;
  readonly provenance: Provenance;
  /** As an import writes it, to be read again. */
  readonly record: object;
}

/** A part of the input that is no valid run, and why. */
export interface RefusedRun {
  readonly kind: 'refused';
  readonly file: string;
  /** From 1; absent if the file itself cannot be read. */
  readonly line?: number;
  readonly column?: number;
  readonly reason: string;
}

/** `runs.jsonl:3:14: expected …`, as compilers write it. */
export function refusalText({ file, line, column, reason }: Omit<RefusedRun, 'kind'>): string {
  return `${[file, line, column].filter((part) => part !== undefined).join(':')}: ${reason}`;
}

/** `trace kp:trace:x is not valid, 9 problems: …; kp validate lists all`, on one line. */
export function invalidReason(error: Error): string {
  if (!(error instanceof TraceValidationError)) return messageOf(error);
  const [subject = '', first = ''] = error.message.split('\n  ', 2);
  const wayOut = error.issues.length > 1 ? '; kp validate lists all' : '';
  return `${subject} ${first}${wayOut}`;
}
