export type FieldValue = string | number | boolean | null | readonly string[];
/** Type of a field; `time` is ISO 8601 with Z. */
export type FieldKind = 'text' | 'number' | 'boolean' | 'list' | 'time';

/** A field with its name in CSV headers and `--where`, and its value in `Source`. */
export interface Field<Source> {
  readonly name: string;
  readonly kind: FieldKind;
  readonly value: (source: Source) => FieldValue;
}

/** Counts of loops and waste in a run; see `findWaste` for the steps. */
export interface WasteCounts {
  /** Groups of three or more calls of one tool with the same input. */
  readonly loops: number;
  /** Tool calls and results that repeat an earlier one. */
  readonly repeatedCalls: number;
  readonly repeatedResults: number;
  /** Edits that a later step reverted. */
  readonly revertedEdits: number;
  /** Errors that no later call of the same tool resolved. */
  readonly unresolvedErrors: number;
  /** Calls after the last change. */
  readonly callsAfterLastChange: number;
}

/** Fields of a run and their sources, under the same names in every output. */
export interface RunFields extends WasteCounts {
  /** Trace id. */
  readonly trace: string;
  readonly objective: string;
  /** Task name in the recording; null if absent. */
  readonly task: string | null;
  readonly model: string | null;
  readonly domain: string;
  /** Null if unknown; the score then uses {@link RunFields.countedAs}. */
  readonly success: boolean | null;
  readonly countedAs: boolean;
  /** `recorded`, `graded`, `labelled`, `given`, `assumed` or `unknown`. */
  readonly successFrom: string;
  /** The recorded grade, if success is `graded`. */
  readonly grade: number | null;
  /** Null for a run that crashed. */
  readonly confidence: number | null;
  /** `recorded`, `graded`, `given` or `assumed`; `unknown` for a run that crashed. */
  readonly confidenceFrom: string;
  readonly steps: number;
  /** Number of steps that are tool calls. */
  readonly calls: number;
  /** Unique names of the called tools, in order of the first call. */
  readonly tools: readonly string[];
  /** Number of steps that recover from an error, and number of observations that report one. */
  readonly recoveries: number;
  readonly errors: number;
  /** Start and end in ISO 8601; null if unknown. */
  readonly startedAt: string | null;
  readonly endedAt: string | null;
  /** Duration, token counts and cost; null if unknown. */
  readonly durationMs: number | null;
  readonly inputTokens: number | null;
  readonly outputTokens: number | null;
  readonly costUsd: number | null;
  /** Ids of the conversation, project and user of the run. */
  readonly session: string | null;
  readonly project: string | null;
  /** Title of the session, and whether the run belongs to a sub-agent. */
  readonly title: string | null;
  readonly subAgent: boolean;
  readonly user: string | null;
  readonly format: string;
  readonly file: string;
  readonly line: number;
}
