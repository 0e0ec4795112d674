import { messageOf } from '@kp/foundation';
import type { Pool } from 'pg';
import { wrongUse } from '../output/errors.ts';

const PAGE = 500;

/**
 * Moves the traces that are not scored from the tables of an earlier pg-boss, which the present one
 * cannot migrate. Killed in between, it leaves some in both; their reports are written once.
 *
 * @param schema - of the tables to move from.
 * @param queues - the queue and its dead letters.
 * @param insert - adds traces to the present queue of a name.
 * @returns how many were moved.
 * @throws {@link UsageError} when there is no queue.
 */
export async function moveJobs(
  pool: Pool,
  schema: string,
  queues: readonly string[],
  insert: (queue: string, data: readonly object[]) => Promise<void>,
): Promise<number> {
  const text = `SELECT id, name, data FROM ${schema}.job
    WHERE name = ANY ($1) AND state < 'completed' ORDER BY created_on, id LIMIT ${PAGE}`;
  let moved = 0;
  for (;;) {
    const { rows } = await pool
      .query<{ id: string; name: string; data: object }>(text, [queues])
      .catch((error: unknown) => {
        throw wrongUse('--move-from', `a schema of pg-boss`, messageOf(error));
      });
    for (const queue of queues) {
      const data = rows.filter(({ name }) => name === queue).map((row) => row.data);
      if (data.length > 0) await insert(queue, data);
    }
    const gone = `DELETE FROM ${schema}.job WHERE name = ANY ($1) AND id = ANY ($2::uuid[])`;
    await pool.query(gone, [queues, rows.map(({ id }) => id)]);
    moved += rows.length;
    if (rows.length < PAGE) return moved;
  }
}
