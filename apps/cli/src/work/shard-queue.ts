import { hostname } from 'node:os';
import { redactUrls, sha256 } from '@kp/foundation';
import type { Pool } from 'pg';
import type { PgBoss } from 'pg-boss';
import { z } from 'zod';
import { VERSION } from '../output/version.ts';
import {
  createJobQueue,
  deadLettersOf,
  failureReason,
  type Job,
  type JobQueue,
} from './job-queue.ts';
import { type QueueState, readQueueState } from './queue-state.ts';

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

/** A task that a worker has taken. */
export interface TakenShard extends Job {
  /** Undefined if the job is not a task of `kp corpus run`. */
  readonly task: ShardTask | undefined;
}

/** A task of a store that is not done, or was given up. */
export interface QueuedShard {
  readonly task: string;
  readonly state: 'waiting' | 'running' | 'retry' | 'failed';
  /** The worker that has it, or had it last. */
  readonly worker: string | null;
  /** Number of tries, with the current one. */
  readonly tries: number;
  /** Reason of the last failure. */
  readonly reason: string | null;
  /** Seconds since its worker took it; null unless it is running. */
  readonly runningSeconds: number | null;
}

/** State of a task. */
export interface ShardState {
  readonly id: string;
  readonly state: 'waiting' | 'active' | 'completed' | 'failed';
  /** Exit status of a completed task. */
  readonly status: number;
  /** Reason of a failed try. */
  readonly reason: string;
  /** Whether it waits for another try. */
  readonly isRetry: boolean;
}

/** A task that was given up. */
interface FailedShard {
  readonly id: string;
  readonly task: string | null;
  readonly store: string | null;
  readonly reason: string;
  readonly tries: number;
  readonly failedAt: Date;
}

/** A queue of the tasks of corpora. */
export interface ShardQueue extends JobQueue<TakenShard> {
  /**
   * Adds tasks, except those that are in the queue already and not done.
   *
   * @returns the id of each task.
   */
  add(tasks: readonly ShardTask[], options: ShardOptions): Promise<readonly string[]>;
  /** Reads the states of tasks; leaves out those that are no longer in the queue. */
  states(ids: readonly string[]): Promise<readonly ShardState[]>;
  /**
   * Lists the tasks of a store that are not done, by state and age.
   *
   * @param mark - content of the object that marks the store.
   */
  pending(mark: string): Promise<readonly QueuedShard[]>;
  /** Number of tasks of all stores. */
  state(): Promise<QueueState>;
  /** The failed tasks, oldest first. */
  failed(): AsyncIterable<FailedShard>;
}

export interface ShardOptions {
  readonly leaseSeconds: number;
  /** Number of attempts after which a task has failed. */
  readonly tries: number;
}

/** Name of the queue of corpus tasks beside a queue of traces. */
export function shardQueueName(queue: string): string {
  return `${queue}-corpus`;
}

export function createShardQueue(
  boss: PgBoss,
  pool: Pool,
  schema: string,
  queue: string,
): ShardQueue {
  const { jobs, insert, failedJobs } = createJobQueue<TakenShard>(
    boss,
    pool,
    schema,
    queue,
    async ({ id, data, retryCount, expireInSeconds: leaseSeconds }) => {
      return { id, retryCount, leaseSeconds, task: taskOf(data) };
    },
  );
  async function waitingIds(keys: readonly string[]): Promise<Map<string, string>> {
    const text = `SELECT id, data ->> 'key' AS key FROM ${schema}.job
      WHERE name = $1 AND state < 'completed' AND data ->> 'key' = ANY ($2)`;
    const { rows } = await pool.query<{ id: string; key: string }>(text, [queue, keys]);
    return new Map(rows.map(({ id, key }) => [key, id]));
  }
  return {
    ...jobs,
    async take(most) {
      const taken = await jobs.take(most);
      const text = `UPDATE ${schema}.job
        SET data = data || jsonb_build_object('worker', $3::text, 'takenAt', now())
        WHERE name = $1 AND id = ANY ($2::uuid[])`;
      const ids = taken.map(({ id }) => id);
      // Without this note, only `kp corpus status` knows less.
      if (ids.length > 0) {
        await pool.query(text, [queue, ids, workerName()]).catch(() => undefined);
      }
      return taken;
    },
    state: () => readQueueState(pool, schema, queue, deadLettersOf(queue)),
    async pending(mark) {
      const { rows } = await pool.query<PendingRow>(pendingOf(schema), [queue, mark]);
      return rows.map(pendingShard);
    },
    async add(tasks, { leaseSeconds, tries }) {
      const keys = await Promise.all(tasks.map((task) => sha256(JSON.stringify(task))));
      const present = await waitingIds(keys);
      const added = tasks.flatMap((task, index) => {
        const key = keys[index] as string;
        if (present.has(key)) return [];
        const id = crypto.randomUUID();
        present.set(key, id);
        const options = { expireInSeconds: leaseSeconds, retryLimit: tries - 1 };
        return [{ id, data: { key, task }, ...options }];
      });
      if (added.length > 0) await insert(added);
      return keys.map((key) => present.get(key) as string);
    },
    async states(ids) {
      const text = `SELECT id, state, output, retry_count FROM ${schema}.job
        WHERE name = $1 AND id = ANY ($2::uuid[])`;
      const { rows } = await pool.query<JobRow>(text, [queue, ids]);
      return rows.map(stateOf);
    },
    async *failed() {
      for await (const { data, ...failed } of failedJobs()) {
        const task = taskOf(data);
        yield { ...failed, task: task?.name ?? null, store: task?.store ?? null };
      }
    },
  };
}

/** Only the last job of each task counts: a task that was given up may have been added again. */
const pendingOf = (schema: string): string => `
  SELECT * FROM (
    SELECT DISTINCT ON (data ->> 'key') data #>> '{task,name}' AS name, data ->> 'worker' AS worker,
      state::text AS state, output, retry_count, created_on,
      extract(epoch FROM now() - (data ->> 'takenAt')::timestamptz)::double precision AS seconds
    FROM ${schema}.job WHERE name = $1 AND data #>> '{task,mark}' = $2
    ORDER BY data ->> 'key', created_on DESC
  ) AS latest
  WHERE state <> 'completed' ORDER BY created_on, name`;

interface PendingRow {
  readonly name: string;
  readonly worker: string | null;
  readonly state: string;
  readonly output: unknown;
  readonly retry_count: number;
  readonly seconds: number | null;
}

const PENDING_STATES: Readonly<Record<string, QueuedShard['state']>> = {
  created: 'waiting',
  retry: 'retry',
  active: 'running',
};

function pendingShard({ name, worker, state, seconds, ...job }: PendingRow): QueuedShard {
  const shown = PENDING_STATES[state] ?? 'failed';
  const isRunning = shown === 'running';
  const hasFailed = shown === 'retry' || shown === 'failed';
  // pg-boss counts a try when a worker takes the job again.
  const tries = shown === 'waiting' ? job.retry_count : job.retry_count + 1;
  const reason = state === 'cancelled' ? CANCELLED : failureReason(job.output, tries, worker);
  return {
    task: name,
    state: shown,
    worker,
    tries,
    reason: hasFailed ? redactUrls(reason) : null,
    runningSeconds: isRunning ? seconds : null,
  };
}

/** Names this process for people. */
function workerName(): string {
  return `${hostname()}, process ${process.pid}`;
}

const CANCELLED = 'it was cancelled in the queue';

interface JobRow {
  readonly id: string;
  readonly state: string;
  readonly output: unknown;
  readonly retry_count: number;
}

function stateOf({ id, state, output, retry_count: retries }: JobRow): ShardState {
  const status = Number(Reflect.get(Object(output), 'status') ?? 0);
  const isCancelled = state === 'cancelled';
  const reason = isCancelled ? CANCELLED : failureReason(output, retries + 1);
  const common = { id, status, reason, isRetry: state === 'retry' };
  if (isCancelled) return { ...common, state: 'failed' };
  const isKnown = state === 'completed' || state === 'active' || state === 'failed';
  return { ...common, state: isKnown ? state : 'waiting' };
}

function taskOf(data: unknown): ShardTask | undefined {
  return ShardTaskSchema.safeParse(Reflect.get(Object(data), 'task')).data;
}

/** What a task needs of a worker, apart from files; undefined if the worker has it. */
export function missingForTask({ kp }: ShardTask): string | undefined {
  if (kp === VERSION) return undefined;
  return `the worker on ${hostname()} has kp ${VERSION}, and the run was started with kp ${kp}; install the same version`;
}
