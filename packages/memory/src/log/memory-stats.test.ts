import { expect, it } from 'bun:test';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describeWith, postgresNeed, redisNeed } from '@kp/testing/needs';
import { entry, openTest } from '../../test/load.ts';
import { startPostgres, startRedis } from '../../test/servers.ts';

interface Store {
  readonly url: string;
  remove(): Promise<void>;
}

async function startFile(): Promise<Store> {
  const folder = await mkdtemp(join(tmpdir(), 'kp-stats-'));
  return {
    url: join(folder, 'seen.db'),
    remove: () => rm(folder, { recursive: true }),
  };
}

const noNeed = { name: 'nothing', isMet: true, remedy: '', isExpectedInCi: true };

for (const [engine, need, start] of [
  ['SQLite', noNeed, startFile],
  ['Postgres', postgresNeed, startPostgres],
  ['Redis', redisNeed, startRedis],
] as const) {
  describeWith(need, `the stats of a memory in ${engine}`, () => {
    it('report the number and bytes of unread rows of other processes', async () => {
      const store = await start();
      const [own, other] = [await openTest(store.url), await openTest(store.url)];
      expect(await own.stats()).toMatchObject({ entries: 0, lag: 0 });
      await other.compareAndRemember([entry('a', 1), entry('b', 2)]);
      await other.compareAndRemember([entry('c', 3)]);
      const behind = await own.stats();
      expect(behind).toMatchObject({ entries: 3, lag: 3 });
      expect(behind.bytes).toBeGreaterThan(3 * 8 * 4);
      await other.forget('a');
      expect(await own.stats()).toMatchObject({ entries: 2, lag: 1 });
      expect(await own.stats()).toMatchObject({ entries: 2, lag: 0 });
      await Promise.all([own.close(), other.close()]);
      await store.remove();
    }, 60_000);
  });
}
