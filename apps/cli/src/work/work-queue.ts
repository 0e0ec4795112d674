import type { ScoreReport } from '@knowledgepulse/sdk';
import { importOptional, messageOf, plainPasswordWarning, sha256 } from '@kp/foundation';
import type { Client, Pool } from 'pg';
import type { PgBoss } from 'pg-boss';
import { wrongUse } from '../output/errors.ts';
import { say } from '../output/terminal.ts';
import { asUse, sayOnce } from '../scoring/memory.ts';
import { type QueueState, readQueueState } from './queue-state.ts';
import { openReports, type Reports } from './reports.ts';
import { decodeTrace, encodeTrace, storableText } from './stored-text.ts';

/** A trace that a worker has taken from the queue. */
export interface QueuedTrace {
  readonly id: string;
  /** How often it failed, or its worker was killed. */
  readonly retryCount: number;
  /** How long it was in the queue, in seconds by the clocks of the server and of this process. */
  readonly waitedSeconds: number;
  /** After which it is given to another worker, unless the lease is extended. */
  readonly leaseSeconds: number;
  /** Not checked yet: any program can put jobs into the queue. */
  readonly trace: unknown;
  /** SHA-256 of the trace: tells a trace that is delivered again from another one with its id. */
  readonly digest: string;
}

/** The outcome of scoring a trace: a report, or why it cannot be scored. */
export interface Outcome {
  readonly job: QueuedTrace;
  readonly traceId: string;
  readonly report?: ScoreReport;
  readonly problem?: string;
}

/** A trace that was given up after all tries. */
interface FailedTrace {
  readonly id: string;
  readonly traceId: string | null;
  readonly reason: string;
  readonly tries: number;
  readonly failedAt: Date;
}

interface AddOptions {
  readonly leaseSeconds: number;
  /** After how many tries a trace has failed. */
  readonly tries: number;
}

/** A queue of traces and a table of their reports, in one Postgres database. */
export interface WorkQueue {
  readonly reports: Reports;
  add(traces: readonly unknown[], options: AddOptions): Promise<void>;
  /** Takes traces that no other worker has. */
  take(most: number): Promise<readonly QueuedTrace[]>;
  /** Starts the leases of traces again. */
  extendLeases(jobs: readonly QueuedTrace[]): Promise<void>;
  /** Removes traces from the queue. */
  complete(jobs: readonly QueuedTrace[]): Promise<void>;
  /** Puts traces back without counting a try. */
  release(jobs: readonly QueuedTrace[]): Promise<void>;
  /** Puts traces back for another try; after the last one, or if `isFinal`, they have failed. */
  fail(jobs: readonly QueuedTrace[], reason: string, isFinal?: boolean): Promise<void>;
  /** How many traces are not scored yet: waiting, put back, or with a worker. */
  unsettled(): Promise<number>;
  failedCount(): Promise<number>;
  state(): Promise<QueueState>;
  /** The failed traces, oldest first. */
  failed(): AsyncIterable<FailedTrace>;
  /** Puts all failed traces back into the queue; returns how many. */
  retryFailed(): Promise<number>;
  close(): Promise<void>;
}

const QUEUE = 'kp-traces';
const DEAD_LETTERS = 'kp-traces-failed';
const PAGE = 500;
/** pg-boss deletes a job that waits longer, by default after 14 days. */
const RETENTION_SECONDS = 3650 * 86_400;
/** So often workers look for the jobs of killed ones. */
const SUPERVISE_SECONDS = 2;
const CONNECT_MS = 5000;
export const DEFAULT_TRIES = 6;
export const DEFAULT_LEASE_SECONDS = 120;

/**
 * Opens the queue, and creates it if there is none.
 *
 * @throws {@link UsageError} when a library is missing or the database cannot be used.
 */
export async function openWorkQueue(url: string): Promise<WorkQueue> {
  const { boss, pool, reports } = await connect(url);
  const change = async (jobs: readonly QueuedTrace[], assignments: string): Promise<void> => {
    if (jobs.length === 0) return;
    const text = `UPDATE pgboss.job SET ${assignments}
      WHERE name = $1 AND id = ANY ($2::uuid[]) AND state = 'active'`;
    await pool.query(text, [QUEUE, jobs.map(({ id }) => id)]);
  };
  const countOf = async (queue: string): Promise<number> => {
    const text = `SELECT count(*)::integer AS amount FROM pgboss.job
      WHERE name = $1 AND state < 'completed'`;
    return (await pool.query<{ amount: number }>(text, [queue])).rows[0]?.amount ?? 0;
  };
  return {
    reports,
    async add(traces, { leaseSeconds, tries }) {
      const options = { expireInSeconds: leaseSeconds, retryLimit: tries - 1 };
      const jobs = traces.map((trace) => ({ data: encodeTrace(trace), ...options }));
      await boss.insert(QUEUE, jobs);
    },
    async take(most) {
      const jobs = await boss.fetch(QUEUE, { batchSize: most, includeMetadata: true });
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
      if (jobs.length > 0) await boss.complete(QUEUE, [...jobs]);
    },
    // pg-boss counts a try when it takes a job that was started before.
    release: (jobs) => change(jobs, "state = 'created', started_on = NULL, heartbeat_on = NULL"),
    async fail(jobs, reason, isFinal = false) {
      if (isFinal) await change(jobs, 'retry_limit = retry_count');
      if (jobs.length > 0) await boss.fail(QUEUE, [...jobs], { message: storableText(reason) });
    },
    unsettled: () => countOf(QUEUE),
    failedCount: () => countOf(DEAD_LETTERS),
    state: () => readQueueState(pool, QUEUE, DEAD_LETTERS),
    async *failed() {
      for (let after: string | undefined; ; ) {
        const options = { limit: PAGE, ...(after !== undefined && { after }) };
        const jobs = await boss.findJobs(DEAD_LETTERS, options);
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
        const more = await boss.redrive(DEAD_LETTERS, { limit: PAGE });
        moved += more;
        if (more < PAGE) return moved;
      }
    },
    async close() {
      await Promise.allSettled([boss.stop({ graceful: false }), pool.end()]);
    },
  };
}

/** What is written down when a job fails, by us or by pg-boss. */
function reasonOf(output: unknown, tries: number): string {
  const message: unknown = Reflect.get(Object(output), 'message');
  if (typeof message === 'string') return message;
  // pg-boss, of a job whose lease ended.
  return `its worker was killed or did not answer within the lease, ${tries} times`;
}

interface Connected {
  readonly boss: PgBoss;
  readonly pool: Pool;
  readonly reports: Reports;
}

async function connect(url: string): Promise<Connected> {
  const [{ PgBoss }, { default: pg }] = await asUse('--queue: ', () =>
    importOptional({
      packages: 'pg-boss pg',
      neededFor: 'kp work',
      load: () => Promise.all([import('pg-boss'), import('pg')]),
    }),
  );
  const connection = {
    connectionString: url,
    application_name: 'kp-work',
    connectionTimeoutMillis: CONNECT_MS,
  };
  const boss = new PgBoss({
    ...connection,
    max: 2,
    superviseIntervalSeconds: SUPERVISE_SECONDS,
    monitorIntervalSeconds: SUPERVISE_SECONDS,
    registerInstance: false,
    schedule: false,
  });
  boss.on('error', ({ message }) => say(`kp: --queue: ${message}`));
  const pool = new pg.Pool({ ...connection, max: 2 });
  pool.on('error', () => undefined);
  pool.on('connect', warnOfPlainPassword);
  try {
    warnOfPlainPassword(new pg.Client(connection));
    await boss.start();
    const options = { retentionSeconds: RETENTION_SECONDS, expireInSeconds: DEFAULT_LEASE_SECONDS };
    await boss.createQueue(DEAD_LETTERS, options);
    await boss.createQueue(QUEUE, {
      ...options,
      retryLimit: DEFAULT_TRIES - 1,
      retryBackoff: true,
      retryDelayMax: 60,
      deadLetter: DEAD_LETTERS,
    });
    return { boss, pool, reports: await openReports(pool) };
  } catch (error) {
    await Promise.allSettled([boss.stop({ graceful: false }), pool.end()]);
    throw wrongUse('--queue', 'a Postgres database where schemas may be made', messageOf(error));
  }
}

/** @param client - with the password of the URL, the environment or, once connected, of ~/.pgpass. */
export function warnOfPlainPassword({ host, password, ssl }: Client): void {
  const connection = { host, password, isEncrypted: Boolean(ssl) };
  const warning = plainPasswordWarning(connection, 'add sslmode=verify-full to the URL');
  if (warning !== undefined) sayOnce('--queue: ', warning);
}
