import { hostname } from 'node:os';
import { z } from 'zod';
import { VERSION } from '../output/version.ts';

export const SHARD_TASK_FORMAT = 'kp-corpus-task/1';

const STAGES = ['map', 'plan', 'cell'] as const;

/** A stage of a corpus for one shard, which any worker can compute. */
export interface ShardTask {
  readonly format: typeof SHARD_TASK_FORMAT;
  /** Version of the kp that added it. */
  readonly kp: string;
  /** Name for messages, such as `map-00003-of-00016`. */
  readonly name: string;
  /** Folder in which the command runs, which all machines share. */
  readonly folder: string;
  /** Recordings that the command reads, as in its words. */
  readonly recordings: readonly string[];
  /** Location of the store, as in the words of the command. */
  readonly store: string;
  /** Content of the object that marks the store. */
  readonly mark: string;
  /** Milliseconds without progress after which a worker ends the command. */
  readonly stallMs: number;
  /** Words of the command line after `kp`. */
  readonly words: readonly string[];
}

const ShardTaskSchema: z.ZodType<ShardTask> = z.object({
  format: z.literal(SHARD_TASK_FORMAT),
  kp: z.string(),
  name: z.string(),
  folder: z.string(),
  recordings: z.array(z.string()),
  store: z.string(),
  mark: z.string(),
  stallMs: z.number().positive(),
  words: z
    .tuple([z.literal('corpus'), z.enum(STAGES)], z.string())
    // A queue must not name code.
    .refine((words) => !words.some((word) => word.startsWith('--importer'))),
});

/** Reads the task of a job; undefined for any other job. */
export function parseShardTask(data: unknown): ShardTask | undefined {
  return ShardTaskSchema.safeParse(Reflect.get(Object(data), 'task')).data;
}

/** What a task needs of a worker, apart from files; undefined if the worker has it. */
export function missingForTask({ kp }: ShardTask): string | undefined {
  if (kp === VERSION) return undefined;
  return `the worker on ${hostname()} has kp ${VERSION}, and the run was started with kp ${kp}; install the same version`;
}
