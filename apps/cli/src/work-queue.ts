import type { ScoreReport } from '@knowledgepulse/sdk';
import { messageOf } from '@kp/foundation';
import { wrongUse } from './errors.ts';
import { say } from './terminal.ts';

/** A trace that waits to be scored, or whatever else somebody put into the queue. */
export interface QueuedTrace {
  readonly id: string;
  readonly trace: unknown;
}

/** What came of a trace: a report, or what is wrong with it. */
export interface Outcome {
  readonly job: QueuedTrace;
  readonly traceId: string;
  readonly report?: ScoreReport;
  readonly problem?: string;
}

/** A queue of traces and a table of their reports, in one Postgres database. */
export interface WorkQueue {
  /** @param leaseSeconds - after which it comes again when whoever took it has not settled it. */
  add(trace: unknown, leaseSeconds: number): Promise<void>;
  /** Those that nobody else has. */
  take(most: number): Promise<readonly QueuedTrace[]>;
  /** How many are not scored yet: those that wait, those that come again later, those that others have. */
  unsettled(): Promise<number>;
  /** Writes one report a trace, whatever was delivered how often, then settles the jobs. */
  settle(outcomes: readonly Outcome[]): Promise<void>;
  /** Gives jobs back, to be tried again later, a few times. */
  giveBack(jobs: readonly QueuedTrace[], reason: string): Promise<void>;
  close(): Promise<void>;
}

const QUEUE = 'kp-traces';
const TRIES_AFTER_THE_FIRST = 5;
const MAKE_REPORTS = `
  CREATE SCHEMA IF NOT EXISTS kp_work;
  CREATE TABLE IF NOT EXISTS kp_work.reports (
    trace_id text PRIMARY KEY,
    score double precision,
    report jsonb,
    problem text,
    scored_at timestamptz NOT NULL DEFAULT now()
  )`;
// Whoever delivers a trace again finds its report there.
const ADD_REPORTS = `
  INSERT INTO kp_work.reports (trace_id, score, report, problem)
  SELECT trace_id, (report ->> 'score')::double precision, report, problem
  FROM jsonb_to_recordset($1::jsonb) AS new (trace_id text, report jsonb, problem text)
  ON CONFLICT (trace_id) DO NOTHING`;

/**
 * Opens the queue, and makes it when it is not there.
 *
 * @throws {@link UsageError} when a library is missing or the database cannot be had.
 */
export async function openWorkQueue(url: string): Promise<WorkQueue> {
  const { PgBoss, pg } = await loadLibraries();
  const boss = new PgBoss({
    connectionString: url,
    application_name: 'kp-work',
    max: 4,
    // How often workers look for the jobs of those who were killed.
    maintenanceIntervalSeconds: 2,
  });
  boss.on('error', (error) => say(`kp: --queue: ${error.message}`));
  const pool = new pg.Pool({ connectionString: url, max: 2, application_name: 'kp-work' });
  pool.on('error', () => undefined);
  try {
    await boss.start();
    await boss.createQueue(QUEUE, {
      name: QUEUE,
      retryLimit: TRIES_AFTER_THE_FIRST,
      retryBackoff: true,
    });
    await makeReports(pool);
  } catch (error) {
    await Promise.allSettled([boss.stop({ graceful: false }), pool.end()]);
    const expected = 'a Postgres database where schemas may be made';
    throw wrongUse('--queue', expected, messageOf(error));
  }
  return {
    async add(trace, leaseSeconds) {
      await boss.send(QUEUE, { trace }, { expireInSeconds: leaseSeconds });
    },
    async take(most) {
      const jobs = (await boss.fetch<{ trace?: unknown }>(QUEUE, { batchSize: most })) ?? [];
      return jobs.map(({ id, data }) => ({ id, trace: data?.trace ?? data }));
    },
    unsettled: () => boss.getQueueSize(QUEUE, { before: 'completed' }),
    async settle(outcomes) {
      if (outcomes.length === 0) return;
      const rows = outcomes.map(({ traceId, report = null, problem = null }) => {
        return { trace_id: traceId, report, problem };
      });
      await pool.query(ADD_REPORTS, [JSON.stringify(rows)]);
      await boss.complete(
        QUEUE,
        outcomes.map(({ job }) => job.id),
      );
    },
    async giveBack(jobs, message) {
      await Promise.all(jobs.map(({ id }) => boss.fail(QUEUE, id, { message })));
    },
    async close() {
      await boss.stop({ graceful: true, wait: true });
      await pool.end();
    },
  };
}

/** Two workers that make the table at the same moment get in each other's way: one begins again. */
async function makeReports(pool: { query(text: string): Promise<unknown> }): Promise<void> {
  for (let attempt = 0; ; attempt++) {
    try {
      await pool.query(MAKE_REPORTS);
      return;
    } catch (error) {
      const isRace = ['23505', '42P06', '42P07'].includes(Reflect.get(error as Error, 'code'));
      if (!isRace || attempt === 5) throw error;
    }
  }
}

async function loadLibraries(): Promise<{
  PgBoss: typeof import('pg-boss');
  pg: Pick<typeof import('pg'), 'Pool'>;
}> {
  try {
    const [boss, pg] = await Promise.all([import('pg-boss'), import('pg')]);
    return { PgBoss: boss.default, pg: pg.default };
  } catch (error) {
    throw wrongUse(
      '--queue',
      'the optional packages pg-boss and pg',
      messageOf(error),
      'install them beside kp: npm install pg-boss@10 pg',
    );
  }
}
