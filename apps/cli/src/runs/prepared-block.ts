import type { PreparedTrace } from '@knowledgepulse/sdk';
import type { BlockLine, OwnLineOptions, PreparedLine } from '@kp/importers';

/** Embedders that a worker can create without loading a model. */
export type WorkerEmbedder = 'lexical' | 'task' | 'none';

/** What a worker needs to know about a command before it prepares blocks. */
export interface WorkerSettings {
  readonly options: OwnLineOptions;
  readonly embedder: WorkerEmbedder;
}

/** A block for a worker to prepare. */
export interface BlockRequest {
  readonly number: number;
  /** Shared memory. */
  readonly bytes: Uint8Array;
  /** Number of the first line. */
  readonly line: number;
  readonly file: string | undefined;
}

/** The facts about the outcome of a run that a summary counts, as in `RunFields`. */
export interface RunOutcome {
  readonly success: boolean | null;
  readonly successFrom: string;
  readonly confidenceFrom: string;
}

/** A run as a worker describes it. Its vector and its text are in {@link BlockAnswer}. */
export interface DescribedRun {
  readonly line: PreparedLine;
  readonly trace: Omit<PreparedTrace, 'embedding'>;
  /** The embedding without its vector; null without an embedder. */
  readonly embedding: Omit<NonNullable<PreparedTrace['embedding']>, 'vector'> | null;
  readonly outcome: RunOutcome;
  /** Where its text ends, in bytes; it begins where that of the previous run ends. */
  readonly textEnd: number;
}

/** The runs of a block and the lines that are not prepared. */
export interface DescribedBlock {
  readonly runs: readonly DescribedRun[];
  readonly unread: readonly BlockLine[];
}

/** A prepared block, in few values, because sending many objects takes longer than making them. */
export interface BlockAnswer {
  readonly number: number;
  /** A {@link DescribedBlock} as JSON. */
  readonly described: string;
  /** The texts of all runs in UTF-8: see `runText`. Sending text would copy it twice. */
  readonly texts: Uint8Array<ArrayBuffer>;
  /** The vectors of all runs; empty without an embedder. */
  readonly vectors: Float32Array<ArrayBuffer>;
}
