import type { ImportOptions, OwnLineOptions, RunLineOptions } from '@kp/importers';
import type { SpilledTextKind } from './spilled-text.ts';

/** Bytes from which on lines are a block of a worker: with half as many, passing blocks on takes 2 % more time. */
export const BLOCK_BYTES: number = 2 ** 19;

/** Embedders that a worker can create without loading a model. */
export type WorkerEmbedder = 'lexical' | 'task' | 'none';

/** What a command needs of each run. */
export interface RunNeeds {
  readonly embedder: WorkerEmbedder;
  /** What a corpus keeps of it; undefined for a command that compares runs in order. */
  readonly corpus?: {
    /** Text to store; undefined for none. */
    readonly text: SpilledTextKind | undefined;
  };
}

/** What a worker needs to know about a command before it prepares blocks. */
export interface LineWorkerSettings extends RunNeeds {
  readonly options: OwnLineOptions;
}

/** What a worker needs to know about a command before it reads inputs or blocks in any format. */
export interface InputWorkerSettings extends RunNeeds {
  /** Without functions. */
  readonly options: ImportOptions;
  /** Undefined if it gets no blocks. */
  readonly lineOptions?: RunLineOptions;
}
