import type { Provenance, ReasoningTrace } from '@kp/schema';
import type { ImportProblem } from '../errors/errors.ts';
import type { JsonValue } from '../json/json-value.ts';
import type { UnlabelledTrace } from '../trace/build-trace.ts';
import type { CrashedRun } from '../trace/crashed-run.ts';

/** What an import yields: one item for each run, and one for each part that cannot be read. */
export type ImportedTrace = {
  /** Line of the input where the run, or the document that contains it, begins; from 1. */
  readonly line: number;
  /** Name of the input, if it was given one. */
  readonly file?: string;
} & (
  | {
      readonly kind: 'trace';
      readonly format: string;
      /** For the format `kp`, the value as found, not validated. */
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
  | (CrashedRun & {
      readonly format: string;
      readonly record: JsonValue;
    })
  | { readonly kind: 'error'; readonly error: ImportProblem }
);
