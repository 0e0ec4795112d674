import { afterAll, beforeAll, expect, it } from 'bun:test';
import { describeWith, postgresNeed } from '@kp/testing/needs';
import { entry, openTest } from '../../test/load.ts';
import { openProxy } from '../../test/proxy.ts';
import { vectorOf } from '../../test/replay.ts';
import { startPostgres, type TestServer } from '../../test/servers.ts';

describeWith(postgresNeed, 'a distant reader of a busy Postgres', () => {
  let server: TestServer;
  beforeAll(async () => {
    server = await startPostgres();
  }, 60_000);
  afterAll(() => server.remove());

  it('opens and appends although others append more than a page during each round trip', async () => {
    const near = await openTest(server.url);
    let next = 0;
    const write = async (amount: number): Promise<void> => {
      const from = next;
      next += amount;
      const entries = Array.from({ length: amount }, (_, i) => ({
        key: `${from + i}`,
        vector: vectorOf(from + i),
      }));
      await near.addAll(entries);
    };
    await write(6000);
    const proxy = await openProxy(server.port, 50);
    let isOver = false;
    // More than the 256 rows of others that an append first returns, and more than a page of 2,000.
    const writing = (async () => {
      while (!isOver) await write(2500);
    })();
    try {
      const far = await openTest(server.url.replace(/:\d+\//, `:${proxy.port}/`));
      const [answer] = await far.compareAndRemember([entry('far', -1)]);
      expect(answer?.comparedWith).toBeGreaterThanOrEqual(6000);
      isOver = true;
      await writing;
      await far.close();
    } finally {
      isOver = true;
      await writing;
      await near.close();
      await proxy.close();
    }
  }, 120_000);
});
