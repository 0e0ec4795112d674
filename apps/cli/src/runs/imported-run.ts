import type { ReasoningTrace } from '@knowledgepulse/sdk';
import type { JsonValue, Provenance } from '@kp/importers';

/** A recorded run as a trace, with its origin. */
export interface Run {
  /** Not validated yet. */
  readonly trace: ReasoningTrace;
  readonly file: string;
  readonly line: number;
  readonly format: string;
  /** Undefined for traces that were not imported. */
  readonly provenance: Provenance | undefined;
  /** The run's part of the recording, unchanged; null once it is no longer needed. */
  readonly record: JsonValue;
}
