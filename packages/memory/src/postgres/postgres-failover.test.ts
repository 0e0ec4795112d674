import { afterAll, beforeAll, expect, it } from 'bun:test';
import { describeWith, postgresNeed } from '@kp/testing/needs';
import { Client } from 'pg';
import { entry, failureOf, openTest, until } from '../../test/load.ts';
import { startPostgres, startStandby, type TestServer } from '../../test/servers.ts';

describeWith(postgresNeed, 'a Postgres memory with a primary and a standby', () => {
  let primary: TestServer;
  let standby: TestServer;
  beforeAll(async () => {
    primary = await startPostgres(['max_wal_senders=4']);
    standby = await startStandby(primary);
  }, 120_000);
  afterAll(async () => {
    await Promise.all([primary.remove(), standby.remove()]);
  });

  /** Runs statements on a new connection, and returns the rows of the last one. */
  async function sql(server: TestServer, ...texts: string[]): Promise<Record<string, unknown>[]> {
    const client = new Client({ connectionString: server.url });
    await client.connect();
    try {
      let rows: Record<string, unknown>[] = [];
      for (const text of texts) rows = (await client.query(text)).rows;
      return rows;
    } finally {
      await client.end();
    }
  }
  const replayed = async (): Promise<boolean> => {
    const [sent] = await sql(primary, 'SELECT pg_current_wal_lsn()::text AS lsn');
    const [got] = await sql(
      standby,
      `SELECT pg_last_wal_replay_lsn() >= '${sent?.lsn}' AS is_there`,
    );
    return got?.is_there === true;
  };

  it('rejects an unsupported connection attribute', async () => {
    const error = await failureOf(openTest(`${primary.url}?target_session_attrs=standby`));
    expect(error.code).toBe('MEMORY_OPTION_INVALID');
  });

  it('switches from a read-only server to the primary and reports the lost entries', async () => {
    const warnings: string[] = [];
    const onWarning = ({ code, message }: { code: string; message: string }) =>
      void warnings.push(`${code} ${message}`);
    // The standby comes first in the list, and is skipped while it is a standby.
    const hosts = `127.0.0.1:${standby.port},127.0.0.1:${primary.port}`;
    const memory = await openTest(`postgres://kp@${hosts}/postgres`, { onWarning });
    await memory.compareAndRemember([entry('a', 1), entry('b', 2)]);
    expect(await until(replayed)).toBe(true);
    // Replication is asynchronous, so the fail-over loses the entries that follow.
    await sql(standby, "ALTER SYSTEM SET primary_conninfo = ''", 'SELECT pg_reload_conf()');
    const isCut = async () => (await sql(standby, 'SELECT FROM pg_stat_wal_receiver')).length === 0;
    expect(await until(isCut)).toBe(true);
    await memory.compareAndRemember([entry('lost', 3), entry('lost too', 4)]);
    await sql(standby, 'SELECT pg_promote()');
    const readOnly = 'ALTER SYSTEM SET default_transaction_read_only = on';
    await sql(primary, readOnly, 'SELECT pg_reload_conf()');
    // The server reads its settings after it has answered.
    const isReadOnly = async (): Promise<boolean> =>
      (await sql(primary, 'SHOW default_transaction_read_only'))[0]
        ?.default_transaction_read_only === 'on';
    expect(await until(isReadOnly)).toBe(true);
    const [answer] = await memory.compareAndRemember([entry('c', 5)]);
    expect(answer?.comparedWith).toBe(2);
    expect(warnings.find((warning) => warning.startsWith('MEMORY_RELOADED'))).toContain(
      '2 entries that were remembered are lost',
    );
    // The same without a primary.
    await primary.kill();
    const other = await openTest(
      `postgres://kp@127.0.0.1:${primary.port},127.0.0.1:${standby.port}/postgres`,
    );
    expect(await other.size).toBe(3);
    await Promise.all([memory.close(), other.close()]);
  }, 120_000);
});
