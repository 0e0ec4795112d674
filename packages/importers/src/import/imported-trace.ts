import type { Provenance, ReasoningTrace } from '@kp/schema';
import type { ImportProblem } from '../errors/errors.ts';
import type { RecordedRun } from '../importer/importer.ts';
import type { JsonValue } from '../json/json-value.ts';
import type { UnlabelledTrace } from '../trace/build-trace.ts';

/** What a recording gives, run by run. */
export type ImportedTrace = {
  /** Line of the input where the run, or the document it is in, begins; from 1. */
  readonly line: number;
  /** Name of the input, where it was given one. */
  readonly file?: string;
} & (
  | {
      readonly kind: 'trace';
      readonly format: string;
      /** Of the format `kp`, the value as found, not validated. */
      readonly trace: ReasoningTrace;
      /** Absent for a trace of the format `kp` that was never imported, nor changed by an option. */
      readonly provenance?: Provenance;
      /** The run's own part of the recording, as found. */
      readonly record: JsonValue;
    }
  | {
      /** Nothing says whether the run succeeded: give `labels`, `success` or `assumeSuccess`. */
      readonly kind: 'unlabelled';
      readonly format: string;
      readonly trace: UnlabelledTrace;
      readonly provenance: Provenance;
      readonly record: JsonValue;
    }
  | {
      /** The run crashed before its first step: there is no trace, but it failed. */
      readonly kind: 'empty';
      readonly format: string;
      readonly source: RecordedRun['source'];
      readonly task: string | undefined;
    }
  | { readonly kind: 'error'; readonly error: ImportProblem }
);
