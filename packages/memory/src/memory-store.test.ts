import { afterAll, beforeAll, expect, it } from 'bun:test';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describeWith, pgvectorNeed, postgresNeed, redisNeed } from '@kp/testing/needs';
import { entry, failureOf, openTest } from '../test/load.ts';
import { programs } from '../test/programs.ts';
import { vectorOf } from '../test/replay.ts';
import { startPostgres, startRedis, type TestServer } from '../test/servers.ts';
import type { DurableMemory } from './log/durable-memory.ts';
import { openMemoryStore } from './open-memory.ts';

const noNeed = { name: 'nothing', isMet: true, remedy: '', isExpectedInCi: true };

async function startFile() {
  const folder = await mkdtemp(join(tmpdir(), 'kp-store-'));
  return { url: join(folder, 'seen.db'), remove: () => rm(folder, { recursive: true }) };
}

for (const [engine, need, start, index] of [
  ['SQLite', noNeed, startFile, 'log'],
  ['Postgres', postgresNeed, startPostgres, 'log'],
  ['Redis', redisNeed, startRedis, 'log'],
  ['Postgres with pgvector', pgvectorNeed, () => startPostgres([], programs.pgvector), 'hnsw'],
] as const) {
  describeWith(need, `a store in ${engine}`, () => {
    let server: Pick<TestServer, 'url' | 'remove'>;
    const url = (): string => server.url;
    beforeAll(async () => {
      server = await start();
    }, 60_000);
    afterAll(() => server.remove());

    if (index === 'hnsw') {
      it('lists and drops a namespace that the server searches', async () => {
        const memory = await openTest(url(), { index: 'hnsw', namespace: 'indexed' });
        await memory.compareAndRemember([entry('x', 1)]);
        const store = await openMemoryStore(url());
        expect(await store.namespaces()).toMatchObject([{ index: 'hnsw', rows: 1 }]);
        expect((await store.namespaces())[0]?.lastAppendedAt).toBeGreaterThan(1e12);
        expect(await store.drop('indexed')).toBe(true);
        expect((await failureOf(memory.nearest(vectorOf(1)))).code).toBe('MEMORY_LOCATION');
        expect(await store.namespaces()).toEqual([]);
        await Promise.all([memory.close(), store.close()]);
      }, 60_000);
    } else {
      it('lists its namespaces and drops one while other handles cannot use it', async () => {
        const names = ['b {odd} / ü', 'a', 'c'];
        const memories = await Promise.all(
          names.map((namespace, i) => openTest(url(), { namespace, maxElements: 10 + i })),
        );
        const [odd, plain, last] = memories;
        await odd?.compareAndRemember([entry('x', 1), entry('y', 2)]);
        await last?.compareAndRemember([entry('z', 3)]);
        const store = await openMemoryStore(url());
        const before = Date.now() - 60_000;
        const facts = await store.namespaces();
        expect(facts.map(({ namespace, rows }) => [namespace, rows])).toEqual([
          ['a', 0],
          ['b {odd} / ü', 2],
          ['c', 1],
        ]);
        expect(facts[1]).toMatchObject({
          embedderId: 'test/8',
          dimensions: 8,
          maxElements: 10,
          ttlMs: null,
          index: 'log',
        });
        expect(facts[0]?.lastAppendedAt).toBeNull();
        expect(facts[1]?.lastAppendedAt).toBeGreaterThan(before);
        expect(facts[1]?.bytes).toBeGreaterThan(2 * 8 * 4);

        expect(await store.drop('none')).toBe(false);
        expect(await store.drop('c')).toBe(true);
        expect(await store.drop('a')).toBe(true);
        for (const call of [
          () => last?.compareAndRemember([entry('late', 4)]),
          () => last?.nearest(vectorOf(3)),
          () => last?.forget('z'),
          () => plain?.compareAndRemember([entry('first', 5)]),
        ]) {
          const { code, message } = await failureOf(Promise.resolve(call()));
          expect(`${code} ${message}`).toContain('MEMORY_LOCATION namespace');
          expect(message).toContain('dropped');
        }
        expect((await store.namespaces()).map(({ namespace }) => namespace)).toEqual([
          'b {odd} / ü',
        ]);
        expect(await odd?.size).toBe(2);
        const quota = { namespace: 'beyond', maxNamespaces: 1 };
        const { code, message } = await failureOf(openTest(url(), quota));
        expect(code).toBe('MEMORY_FULL');
        expect(message).toContain('expected at most 1 namespaces in the store, received 1');
        await (await openTest(url(), { ...quota, namespace: 'b {odd} / ü' })).close();
        // A new one of the same name has nothing of the old one, for which it is another history.
        const again = await openTest(url(), { namespace: 'c' });
        expect(await again.size).toBe(0);
        await again.compareAndRemember([entry('new', 6)]);
        expect((await again.verify()).problems).toEqual([]);
        await Promise.all([...memories, again, store].map((each) => each.close()));
      }, 60_000);

      it('report the number and bytes of unread rows of other processes', async () => {
        const open = () => openTest(url(), { namespace: 'stats' });
        const [own, other] = [await open(), await open()];
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
      }, 60_000);
    }

    it('rejects calls of a handle whose namespace was dropped and given to another embedder', async () => {
      const named = { namespace: 'again', index };
      const [unread, read] = [await openTest(url(), named), await openTest(url(), named)];
      expect(await unread.size).toBe(0);
      await read.compareAndRemember([entry('old', 1)]);
      const store = await openMemoryStore(url());
      expect(await store.drop('again')).toBe(true);
      const embedder = { id: 'another/8', dimensions: 8 };
      const again = await openTest(url(), { ...named, embedder });
      for (const old of [unread, read]) {
        for (const call of [
          () => old.compareAndRemember([entry('late', 2)]),
          () => old.nearest(vectorOf(1)),
          () => old.forget('new'),
          () => old.size,
        ]) {
          expect((await failureOf(Promise.resolve(call()))).code).toBe('MEMORY_LOCATION');
        }
        await again.compareAndRemember([entry('new', 3)], { sameId: 'replace' });
      }
      expect(await logKeys(again)).toEqual(['new']);
      await Promise.all([unread, read, again, store].map((each) => each.close()));
    }, 60_000);

    it('names the namespaces that contain a key', async () => {
      const [one, two, hashed] = await Promise.all([
        openTest(url(), { namespace: 'with one', index }),
        openTest(url(), { namespace: 'with two', index }),
        openTest(url(), { namespace: 'with hash', index, hashKeys: 'a secret of some length' }),
      ]);
      for (const memory of [one, two, hashed]) await memory.compareAndRemember([entry('key', 1)]);
      await two.compareAndRemember([entry('its own', 2)]);
      const store = await openMemoryStore(url());
      expect(await store.namespacesWith(['key', hashed.storedKey('key')])).toEqual([
        'with hash',
        'with one',
        'with two',
      ]);
      expect(await store.namespacesWith(['none', 'its own'])).toEqual(['with two']);
      await two.erase('its own');
      // The row of a removed key lists its position.
      expect(await store.namespacesWith(['its own', '', '[2]'])).toEqual([]);
      await Promise.all([one, two, hashed, store].map((each) => each.close()));
    }, 60_000);

    it('prunes entries that were neither added nor changed within the given time, for all handles', async () => {
      const options = { namespace: 'pruned', index };
      const [one, other] = [await openTest(url(), options), await openTest(url(), options)];
      const old = Array.from({ length: 250 }, (_, i) => entry(`old-${i}`, i));
      await one.compareAndRemember([...old, entry('again', 300)]);
      const startedAt = performance.now();
      expect(await other.size).toBe(251);
      await Bun.sleep(300);
      // The vector of the first is the same as before; that of the second is not.
      await other.compareAndRemember([entry('old-7', 7), entry('again', 301), entry('new', 302)], {
        sameId: 'replace',
      });
      const olderThanMs = performance.now() - startedAt - 100;
      expect(await one.prune({ olderThanMs: 60_000 })).toBe(0);
      expect(await one.prune({ olderThanMs, dryRun: true })).toBe(250);
      expect(await other.size).toBe(252);
      expect(await one.prune({ olderThanMs })).toBe(250);
      expect(await one.prune({ olderThanMs: performance.now() - startedAt - 100 })).toBe(0);
      expect(await Promise.all([one.size, other.size])).toEqual([2, 2]);
      const third = await openTest(url(), options);
      expect((await logKeys(third)).sort()).toEqual(['again', 'new']);
      expect(await other.forget('old-7')).toBe(false);
      expect((await third.verify()).problems).toEqual([]);
      const { code } = await failureOf(one.prune({ olderThanMs: Number.NaN }));
      expect(code).toBe('MEMORY_OPTION_INVALID');
      await Promise.all([one, other, third].map((memory) => memory.close()));
    }, 60_000);
  });
}

it('rejects a missing store', async () => {
  for (const [location, message] of [
    [
      '/nowhere/seen.db',
      '/nowhere/seen.db: expected an existing memory, received a missing or unreadable file',
    ],
    ['https://localhost', 'received https:'],
  ] as const) {
    expect((await failureOf(openMemoryStore(location))).message).toContain(message);
  }
});

async function logKeys(memory: DurableMemory): Promise<string[]> {
  return (await Array.fromAsync(memory.entries())).map(({ key }) => key);
}
