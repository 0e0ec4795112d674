import { afterAll, beforeAll, expect, it } from 'bun:test';
import { describeWith, postgresNeed } from '@kp/testing/needs';
import { Pool } from 'pg';
import { entry, failureOf, openTest, TEST_EMBEDDER } from '../../test/load.ts';
import { logOf, vectorOf } from '../../test/replay.ts';
import { startPostgres, type TestServer } from '../../test/servers.ts';
import { toBytes } from '../log/vector-bytes.ts';
import { openPostgresMemory } from './open-postgres-memory.ts';
import { MIGRATIONS } from './postgres-schema.ts';

const NO_OPERATION = '00000000-0000-0000-0000-000000000000';

describeWith(postgresNeed, 'the Postgres schema', () => {
  let server: TestServer | undefined;
  let pool: Pool;
  beforeAll(async () => {
    server = await startPostgres();
    // One connection, so that the test changes the connection of the memory.
    pool = new Pool({ connectionString: server.url, max: 1 });
  }, 60_000);
  afterAll(async () => {
    await pool.end();
    await server?.remove();
  });

  it('migrates version 2 with its rows, and still serves processes of that version', async () => {
    await pool.query(`CREATE SCHEMA kp_memory; CREATE TABLE kp_memory.version (version integer);
      INSERT INTO kp_memory.version VALUES (2)`);
    for (const sql of MIGRATIONS.slice(0, 2)) await pool.query(sql);
    const { rows } = await pool.query(
      `INSERT INTO kp_memory.space (namespace, embedder_id, dimensions, max_elements, key_check)
       VALUES ('default', $1, $2, 100000, '') RETURNING id`,
      [TEST_EMBEDDER.id, TEST_EMBEDDER.dimensions],
    );
    const { id } = rows[0] as { id: number };
    await pool.query(
      `CREATE TABLE kp_memory.log_${id} PARTITION OF kp_memory.log FOR VALUES IN (${id})`,
    );
    let cursor = { at: 0, operation: NO_OPERATION };
    const appendByVersion2 = async (numbers: readonly number[]): Promise<string[]> => {
      const answer = await pool.query(
        'SELECT * FROM kp_memory.append($1, $2, $3, $4, $5, $6, $7, 256)',
        [
          id,
          cursor.at,
          cursor.operation,
          numbers.map(() => crypto.randomUUID()),
          numbers.map(() => 0),
          numbers.map((number) => `old ${number}`),
          Buffer.concat(numbers.map((number) => toBytes(vectorOf(number)))),
        ],
      );
      const read = answer.rows.slice(0, -1) as { at: number; operation: string; key: string }[];
      cursor = read.at(-1) ?? cursor;
      return read.map(({ key }) => key);
    };
    expect(await appendByVersion2([1, 2, 3])).toEqual(['old 1', 'old 2', 'old 3']);

    const memory = await openTest(server?.url ?? '');
    const [first] = await memory.compareAndRemember([entry('new 4', 2)]);
    expect(first?.comparedWith).toBe(3);
    expect(first?.nearest?.key).toBe('old 2');
    expect(await appendByVersion2([5])).toEqual(['new 4', 'old 5']);
    const [second] = await memory.compareAndRemember([entry('new 6', 5)]);
    expect(second?.comparedWith).toBe(5);
    expect(second?.nearest?.key).toBe('old 5');
    expect(await appendByVersion2([7])).toEqual(['new 6', 'old 7']);
    const keys = (await logOf(memory)).map(({ key }) => key);
    expect(keys).toEqual(['old 1', 'old 2', 'old 3', 'new 4', 'old 5', 'new 6', 'old 7']);
    await memory.close();
  });

  it('rejects an index with a remedy if the server has no pgvector', async () => {
    await pool.query('CREATE DATABASE stock');
    const url = (server?.url ?? '').replace('/postgres', '/stock');
    const refused = await failureOf(openTest(`${url}?index=hnsw`));
    expect(refused.code).toBe('DEPENDENCY_MISSING');
    expect(refused.message).toContain('the extension vector (pgvector) 0.8 or later, received');
    expect(refused.message).toContain('or use a log');
    // The attempt leaves nothing.
    const memory = await openTest(url);
    expect(await memory.stats()).toMatchObject({ index: 'log', entries: 0 });
    await memory.close();
  }, 60_000);

  it('works without prepared statements, and warns', async () => {
    const warnings: string[] = [];
    const onWarning = ({ message }: { message: string }): void => void warnings.push(message);
    const options = { embedder: TEST_EMBEDDER, namespace: 'pooled', onWarning };
    const memory = await openPostgresMemory(pool, options);
    await memory.compareAndRemember([entry('a', 1)]);
    expect(warnings).toEqual([]);
    // Like a pooler that gives each transaction another connection of the server.
    await pool.query('DEALLOCATE ALL');
    const [answer] = await memory.compareAndRemember([entry('b', 1)]);
    expect(answer?.comparedWith).toBe(1);
    expect(answer?.nearest?.key).toBe('a');
    await memory.compareAndRemember([entry('c', 2)]);
    expect((await logOf(memory)).map(({ key }) => key)).toEqual(['a', 'b', 'c']);
    expect(warnings).toHaveLength(1);
    expect(warnings[0]).toContain('prepared statements are not used any more');
    await memory.close();
  });
});
