import type { ScoreReport } from '@knowledgepulse/sdk';
import { sha256 } from '@kp/foundation';
import { connectQueue } from './connect-queue.ts';
import { moveJobs } from './move-jobs.ts';
import { type PrunedWork, pruneWork } from './prune-work.ts';
import type { QueueSettings } from './queue-settings.ts';
import { type QueueState, readQueueState } from './queue-state.ts';
import type { Reports } from './reports.ts';
import { decodeTrace, encodeTrace, storableText } from './stored-text.ts';

/** A trace that a worker has taken from the queue. */
export interface QueuedTrace {
  readonly id: string;
  /** Number of failures, including killed workers. */
  readonly retryCount: number;
  /** Seconds in the queue, by the clocks of the server and this process. */
  readonly waitedSeconds: number;
  /** Seconds until it goes to another worker, unless the lease is extended. */
  readonly leaseSeconds: number;
  /** The trace, not validated: any program can add jobs to the queue. */
  readonly trace: unknown;
  /** SHA-256 of the trace, which distinguishes a redelivery from another trace with the same id. */
  readonly digest: string;
}

/** The result of scoring a trace: a report, or the reason for a failure. */
export interface Outcome {
  readonly job: QueuedTrace;
  readonly traceId: string;
  readonly report?: ScoreReport;
  readonly problem?: string;
}

/** A trace that failed after all retries. */
interface FailedTrace {
  readonly id: string;
  readonly traceId: string | null;
  readonly reason: string;
  readonly tries: number;
  readonly failedAt: Date;
}

interface AddOptions {
  readonly leaseSeconds: number;
  /** Number of attempts after which a trace has failed. */
  readonly tries: number;
  /** Traces of a higher priority are taken first. Default 0. */
  readonly priority?: number;
  /** How long the payload of a scored trace is kept. Default 7 days. */
  readonly keepSeconds?: number;
}

/** A queue of traces and a table of their reports, in one Postgres database. */
export interface WorkQueue {
  readonly reports: Reports;
  add(traces: readonly unknown[], options: AddOptions): Promise<void>;
  /** Takes traces without a worker. */
  take(most: number): Promise<readonly QueuedTrace[]>;
  /** Extends the leases of traces. */
  extendLeases(jobs: readonly QueuedTrace[]): Promise<void>;
  /** Removes traces from the queue. */
  complete(jobs: readonly QueuedTrace[]): Promise<void>;
  /** Puts traces back without counting an attempt. */
  release(jobs: readonly QueuedTrace[]): Promise<void>;
  /** Puts traces back for a retry; after the last one, or if `isFinal`, they have failed. */
  fail(jobs: readonly QueuedTrace[], reason: string, isFinal?: boolean): Promise<void>;
  /** Number of traces that are not scored yet: waiting, put back or in progress. */
  unsettled(): Promise<number>;
  failedCount(): Promise<number>;
  state(): Promise<QueueState>;
  /** The failed traces, oldest first. */
  failed(): AsyncIterable<FailedTrace>;
  /** Puts all failed traces back into the queue; returns their number. */
  retryFailed(): Promise<number>;
  /** Moves traces from the tables of pg-boss 10; returns how many. */
  moveFrom(schema: string): Promise<number>;
  /** Deletes, or counts, old reports and payloads. */
  prune(ageSeconds: number, isDryRun: boolean): Promise<PrunedWork>;
  close(): Promise<void>;
}

const PAGE = 500;

/**
 * Opens the queue and creates it if necessary.
 *
 * @throws {@link UsageError} if a library is missing or the database cannot be used.
 */
export async function openWorkQueue(settings: QueueSettings): Promise<WorkQueue> {
  const { schema, name: queue } = settings;
  const deadLetters = `${queue}-failed`;
  const { boss, pool, reports } = await connectQueue(settings, deadLetters);
  const change = async (jobs: readonly QueuedTrace[], assignments: string): Promise<void> => {
    if (jobs.length === 0) return;
    const text = `UPDATE ${schema}.job SET ${assignments}
      WHERE name = $1 AND id = ANY ($2::uuid[]) AND state = 'active'`;
    await pool.query(text, [queue, jobs.map(({ id }) => id)]);
  };
  const countOf = async (name: string): Promise<number> => {
    const text = `SELECT count(*)::integer AS amount FROM ${schema}.job
      WHERE name = $1 AND state < 'completed'`;
    return (await pool.query<{ amount: number }>(text, [name])).rows[0]?.amount ?? 0;
  };
  return {
    reports,
    async add(traces, { leaseSeconds, tries, priority = 0, keepSeconds }) {
      const options = {
        expireInSeconds: leaseSeconds,
        retryLimit: tries - 1,
        priority,
        ...(keepSeconds !== undefined && { deleteAfterSeconds: keepSeconds }),
      };
      const jobs = traces.map((trace) => ({ data: encodeTrace(trace), ...options }));
      await boss.insert(queue, jobs);
    },
    async take(most) {
      const jobs = await boss.fetch(queue, { batchSize: most, includeMetadata: true });
      return Promise.all(
        jobs.map(async ({ id, data, retryCount, expireInSeconds: leaseSeconds, createdOn }) => {
          const trace = decodeTrace(data);
          const digest = await sha256(JSON.stringify(trace) ?? '');
          const waitedSeconds = (Date.now() - createdOn.getTime()) / 1000;
          return { id, retryCount, leaseSeconds, waitedSeconds, trace, digest };
        }),
      );
    },
    extendLeases: (jobs) => change(jobs, 'started_on = now()'),
    async complete(jobs) {
      if (jobs.length > 0) await boss.complete(queue, [...jobs]);
    },
    // pg-boss counts an attempt when it takes a job that was started before.
    release: (jobs) => change(jobs, "state = 'created', started_on = NULL, heartbeat_on = NULL"),
    async fail(jobs, reason, isFinal = false) {
      if (isFinal) await change(jobs, 'retry_limit = retry_count');
      if (jobs.length > 0) await boss.fail(queue, [...jobs], { message: storableText(reason) });
    },
    unsettled: () => countOf(queue),
    failedCount: () => countOf(deadLetters),
    state: () => readQueueState(pool, schema, queue, deadLetters),
    async *failed() {
      for (let after: string | undefined; ; ) {
        const options = { limit: PAGE, ...(after !== undefined && { after }) };
        const jobs = await boss.findJobs(deadLetters, options);
        for (const { id, data, sourceOutput, sourceRetryCount, createdOn } of jobs) {
          const traceId: unknown = Reflect.get(Object(decodeTrace(data)), 'id');
          const tries = (sourceRetryCount ?? 0) + 1;
          yield {
            id,
            traceId: typeof traceId === 'string' ? traceId : null,
            reason: reasonOf(sourceOutput, tries),
            tries,
            failedAt: createdOn,
          };
          after = id;
        }
        if (jobs.length < PAGE) return;
      }
    },
    async retryFailed() {
      for (let moved = 0; ; ) {
        const more = await boss.redrive(deadLetters, { limit: PAGE });
        moved += more;
        if (more < PAGE) return moved;
      }
    },
    moveFrom: (from) =>
      moveJobs(pool, from, [queue, deadLetters], async (name, data) => {
        await boss.insert(
          name,
          data.map((each) => ({ data: each })),
        );
      }),
    prune: (ageSeconds, isDryRun) =>
      pruneWork(pool, schema, [queue, deadLetters], ageSeconds, isDryRun),
    async close() {
      await Promise.allSettled([boss.stop({ graceful: false }), pool.end()]);
    },
  };
}

/** Formats the reason of a failed job, from kp or pg-boss. */
function reasonOf(output: unknown, tries: number): string {
  const message: unknown = Reflect.get(Object(output), 'message');
  if (typeof message === 'string') return message;
  // pg-boss reports an expired lease.
  return `its worker was killed or did not answer within the lease, ${tries} times`;
}
