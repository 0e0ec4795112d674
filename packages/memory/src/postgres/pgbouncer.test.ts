import { afterAll, beforeAll, expect, it } from 'bun:test';
import { describeWith, pgbouncerNeed } from '@kp/testing/needs';
import { entry, openTest, underLoad } from '../../test/load.ts';
import { startPgBouncer, startPostgres, type TestServer } from '../../test/servers.ts';

describeWith(pgbouncerNeed, 'a memory through PgBouncer in transaction mode', () => {
  let server: TestServer | undefined;
  beforeAll(async () => {
    server = await startPostgres();
  }, 60_000);
  afterAll(() => server?.remove(), 60_000);

  /** @returns the codes of the warnings of a client that connects after others. */
  async function useThrough(name: string, ...settings: string[]): Promise<string[]> {
    // With fewer connections than clients, so that each client uses all connections.
    const pool = ['default_pool_size = 2', ...settings];
    const pooler = await startPgBouncer(server as TestServer, pool);
    try {
      expect(await underLoad(pooler.url, name, () => Bun.sleep(500))).toBeUndefined();
      const codes: string[] = [];
      const onWarning = ({ code }: { code: string }) => void codes.push(code);
      const memory = await openTest(pooler.url, { namespace: name, onWarning });
      for (let i = 0; i < 20; i++) await memory.compareAndRemember([entry(`one ${i}`, i)]);
      expect(await memory.forget('one 7')).toBe(true);
      expect(await memory.forget('one 7')).toBe(false);
      await memory.close();
      return codes;
    } finally {
      await pooler.remove();
    }
  }

  it('agrees with a replay if the pooler does not support prepared statements', async () => {
    const codes = await useThrough('none', 'max_prepared_statements = 0');
    // The next connection may have another client's statement of that name, or none.
    expect(codes.length).toBeLessThanOrEqual(1);
    expect(new Set(['MEMORY_RETRIED', ...codes])).toEqual(new Set(['MEMORY_RETRIED']));
  }, 60_000);

  it('agrees with a replay without a warning if the pooler supports them', async () => {
    expect(await useThrough('kept', 'max_prepared_statements = 100')).toEqual([]);
  }, 60_000);
});
