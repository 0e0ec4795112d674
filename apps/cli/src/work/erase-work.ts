import { importOptional } from '@kp/foundation';
import { refused } from '../output/errors.ts';
import { asUse } from '../scoring/memory.ts';
import { warnOfPlainPassword } from './work-queue.ts';

/** What was erased of a trace in the database of a queue. */
export interface ErasedWork {
  readonly reports: number;
  /** Reports of other traces that named it as the nearest one; its id is removed from them. */
  readonly references: number;
  /** Jobs with its text: waiting, scored, or given up. */
  readonly jobs: number;
}

const EXISTS = 'SELECT to_regclass($1) IS NOT NULL AS exists';
// As kp work stores traces, and as other programs may.
const OF_TRACE = `data #>> '{trace,id}' = ANY ($1) OR data ->> 'id' = ANY ($1)
  OR EXISTS (SELECT FROM unnest($1::text[]) AS id WHERE position(to_json(id)::text IN data ->> 'json') > 0)`;

/**
 * Erases reports and queued traces.
 *
 * @param ids - of the traces.
 */
export async function eraseWork(url: string, ids: readonly string[]): Promise<ErasedWork> {
  return withClient(url, async (query) => {
    let erased: ErasedWork = { reports: 0, references: 0, jobs: 0 };
    if ((await query(EXISTS, ['kp_work.reports'])).rows[0]?.exists === true) {
      const reports = await query('DELETE FROM kp_work.reports WHERE trace_id = ANY ($1)', [ids]);
      const references = await query(
        `UPDATE kp_work.reports SET report = report #- '{novelty,nearest,key}'
         WHERE report #>> '{novelty,nearest,key}' = ANY ($1)`,
        [ids],
      );
      erased = { ...erased, reports: reports.rowCount ?? 0, references: references.rowCount ?? 0 };
      await query('VACUUM (TRUNCATE off) kp_work.reports');
    }
    if ((await query(EXISTS, ['pgboss.job'])).rows[0]?.exists === true) {
      const jobs = await query(
        `DELETE FROM pgboss.job WHERE name LIKE 'kp-traces%' AND (${OF_TRACE})`,
        [ids],
      );
      erased = { ...erased, jobs: jobs.rowCount ?? 0 };
      await query('VACUUM (TRUNCATE off) pgboss.job');
    }
    return erased;
  });
}

/** Where traces still are in the database of a queue. */
export async function findWork(url: string, ids: readonly string[]): Promise<readonly string[]> {
  return withClient(url, async (query) => {
    const found: string[] = [];
    const look = async (table: string, condition: string): Promise<void> => {
      if ((await query(EXISTS, [table])).rows[0]?.exists !== true) return;
      const { rows } = await query(`SELECT FROM ${table} WHERE ${condition} LIMIT 1`, [ids]);
      if (rows.length > 0) found.push(table);
    };
    await look(
      'kp_work.reports',
      "trace_id = ANY ($1) OR report #>> '{novelty,nearest,key}' = ANY ($1)",
    );
    await look('pgboss.job', `name LIKE 'kp-traces%' AND (${OF_TRACE})`);
    return found;
  });
}

async function withClient<T>(
  url: string,
  task: (
    query: (
      text: string,
      values?: unknown[],
    ) => Promise<{ rows: Record<string, unknown>[]; rowCount: number | null }>,
  ) => Promise<T>,
): Promise<T> {
  const { default: pg } = await asUse('--queue: ', () =>
    importOptional({ packages: 'pg', neededFor: 'the queue', load: () => import('pg') }),
  );
  // It throws for an invalid URL.
  const create = () => new pg.Client({ connectionString: url, application_name: 'kp-memory' });
  const client = await Promise.resolve()
    .then(create)
    .catch((error: unknown) => {
      throw refused('--queue', error);
    });
  warnOfPlainPassword(client);
  try {
    await client.connect();
    return await task((text, values) => client.query(text, values));
  } finally {
    await client.end();
  }
}
