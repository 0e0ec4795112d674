import { afterAll, beforeAll, expect, it } from 'bun:test';
import { fileURLToPath } from 'node:url';
import { describeWith, pgvectorNeed } from '@kp/testing/needs';
import { openTest, underLoad } from '../../test/load.ts';
import { programs } from '../../test/programs.ts';
import { logOf, vectorOf } from '../../test/replay.ts';
import { startPostgres, type TestServer } from '../../test/servers.ts';
import type { DurableMemory } from '../log/durable-memory.ts';
import type { MemoryWarning } from '../log/options.ts';
import { migratePostgresMemory } from './migrate-postgres-memory.ts';

const entry = (key: string, number: number) => ({
  key,
  vector: vectorOf(number),
  operationId: crypto.randomUUID(),
});

describeWith(pgvectorNeed, 'migratePostgresMemory', () => {
  let server: TestServer | undefined;
  const url = (): string => server?.url ?? '';
  beforeAll(async () => {
    server = await startPostgres([], programs.pgvector);
  }, 60_000);
  afterAll(() => server?.remove());

  const open = (namespace: string): Promise<DurableMemory> => openTest(url(), { namespace });
  const migrate = (namespace: string, to: 'log' | 'hnsw', maxElements?: number) =>
    migratePostgresMemory(url(), { namespace, to, maxElements, timeoutMs: 20_000 });

  /** Entries of every kind: replaced, doubled, forgotten, repeated. */
  async function fill(memory: DurableMemory): Promise<void> {
    const ids = Array.from({ length: 700 }, (_, i) => i);
    await memory.compareAndRemember(ids.map((i) => entry(`${i}`, i)));
    await memory.compareAndRemember([entry('5', 900), entry('6', 6)], { sameId: 'replace' });
    await memory.compareAndRemember([entry('7', 7)], { sameId: 'compare' });
    await memory.forget('8');
    await memory.forget('7');
  }

  const contentOf = async (memory: DurableMemory) =>
    (await logOf(memory)).map(({ key, vector }) => `${key} ${[...vector]}`).sort();

  it('migrates all entries in both directions while memories stay open', async () => {
    const asked = { namespace: 'whole', index: 'log', maxElements: 100_000 } as const;
    const [memory, other] = [await open('whole'), await openTest(url(), asked)];
    await fill(memory);
    const repeat = entry('repeat', 3);
    const [first] = await memory.compareAndRemember([repeat]);
    const before = await contentOf(memory);
    expect(await migrate('whole', 'hnsw', 200_000)).toBeGreaterThan(700);
    expect(await memory.stats()).toMatchObject({
      index: 'hnsw',
      entries: 699,
      maxElements: 200_000,
    });
    expect(await contentOf(memory)).toEqual(before);
    // An earlier operation is still known by its id.
    expect((await other.compareAndRemember([repeat]))[0]).toEqual(first as object);
    expect(await other.forget('9')).toBe(true);
    const [replaced] = await other.compareAndRemember([entry('5', 901)], { sameId: 'replace' });
    expect(replaced?.comparedWith).toBe(5);
    const [again] = await memory.compareAndRemember([entry('new', 1000)]);
    expect(again?.comparedWith).toBe(698);
    const between = await contentOf(other);
    expect(await migrate('whole', 'log')).toBe(699);
    expect(await other.stats()).toMatchObject({ index: 'log', entries: 699 });
    expect(await contentOf(memory)).toEqual(between);
    const [last] = await other.compareAndRemember([entry('5', 901)], { sameId: 'replace' });
    expect(last?.comparedWith).toBe(5);
    // Nothing to do.
    expect(await migrate('whole', 'log')).toBe(0);
    await Promise.all([memory.close(), other.close()]);
  }, 60_000);

  it('serves concurrent writers without losing their entries', async () => {
    const meanwhile = async () => {
      await Bun.sleep(200);
      await migrate('busy', 'hnsw');
      await Bun.sleep(200);
      await migrate('busy', 'log');
      await Bun.sleep(200);
    };
    expect(await underLoad(url(), 'busy', meanwhile)).toBeUndefined();
  }, 60_000);

  it('runs once if three processes start it concurrently', async () => {
    const memory = await open('thrice');
    await fill(memory);
    const before = await contentOf(memory);
    const copied = await Promise.all([1, 2, 3].map(() => migrate('thrice', 'hnsw')));
    expect(copied.reduce((sum, each) => sum + each, 0)).toBe(704);
    expect(await contentOf(memory)).toEqual(before);
    await memory.close();
  }, 60_000);

  it('continues after it was killed', async () => {
    const memory = await open('killed');
    const ids = Array.from({ length: 3000 }, (_, i) => i);
    await memory.addAll(ids.map((i) => ({ key: `${i}`, vector: vectorOf(i) })));
    const before = await contentOf(memory);
    const program = fileURLToPath(new URL('../../test/migrator.ts', import.meta.url));
    for (let kill = 0; kill < 3; kill++) {
      const child = Bun.spawn([process.execPath, program, url(), 'killed', 'hnsw'], {
        stdio: ['ignore', 'pipe', 'inherit'],
      });
      // Killed at its first step.
      await child.stdout.getReader().read();
      child.kill('SIGKILL');
      await child.exited;
      await memory.add(vectorOf(5000 + kill), `between ${kill}`);
    }
    const copied = await migrate('killed', 'hnsw');
    expect(copied).toBeLessThan(3000);
    expect(await memory.size).toBe(3003);
    await Promise.all([0, 1, 2].map((i) => memory.forget(`between ${i}`)));
    expect(await contentOf(memory)).toEqual(before);
    await memory.close();
  }, 60_000);

  it('rejects writes during a migration to a log until it completes or is cancelled', async () => {
    const { promise: warned, resolve: onWarning } = Promise.withResolvers<MemoryWarning>();
    const options = { namespace: 'halfway', index: 'hnsw' } as const;
    const memory = await openTest(url(), { ...options, onWarning });
    await memory.compareAndRemember([entry('a', 1)]);
    const stop = new AbortController();
    const move = { namespace: 'halfway', to: 'log', signal: stop.signal } as const;
    const onProgress = () => stop.abort(new Error('enough'));
    const stopped = await migratePostgresMemory(url(), { ...move, onProgress }).catch(String);
    expect(stopped).toContain('enough');
    expect((await memory.nearest(vectorOf(1)))?.key).toBe('a');
    // The migration retries.
    const waiting = memory.compareAndRemember([entry('b', 2)]);
    const first = await Promise.race([warned, waiting]);
    expect(first).toMatchObject({ message: expect.stringContaining('being moved to a log') });
    expect(await migrate('halfway', 'hnsw')).toBe(0);
    expect((await waiting)[0]?.comparedWith).toBe(1);
    await memory.close();
  });

  it('rejects a migration that would lose entries, and a missing namespace', async () => {
    const memory = await open('small');
    await memory.add(vectorOf(1), 'a');
    const less = await migrate('small', 'hnsw', 10).catch((error) => error);
    expect(less.message).toContain(
      'maxElements: expected at least 100000, so that nothing is lost',
    );
    const nothing = await migrate('nowhere', 'hnsw').catch((error) => error);
    expect(nothing.code).toBe('MEMORY_LOCATION');
    await memory.close();
  });
});
