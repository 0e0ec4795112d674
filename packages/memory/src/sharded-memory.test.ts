import { describe, expect, it } from 'bun:test';
import { join } from 'node:path';
import { useFolder } from '@kp/testing/folder';
import { VectorCache } from '@kp/vector-cache';
import { entry, failureOf, openTest, TEST_EMBEDDER } from '../test/load.ts';
import { vectorOf } from '../test/replay.ts';
import { memoryContract } from './contract/index.ts';
import { openShardedMemory } from './open-sharded-memory.ts';

const folder = useFolder('kp-sharded-');
let files = 0;
const newFiles = (amount = 3): string[] =>
  Array.from({ length: amount }, () => join(folder, `${files++}.db`));
const options = { embedder: TEST_EMBEDDER, onWarning: () => undefined };

describe('a sharded memory', () => {
  it('answers like a single memory, and distributes its entries', async () => {
    const paths = newFiles();
    const memory = await openShardedMemory(paths, options);
    const whole = new VectorCache({ dimensions: 8, maxElements: 1000 });
    for (let i = 0; i < 300; i++) {
      const vector = vectorOf(i % 250);
      const best = whole.nearest(vector);
      const [answer] = await memory.compareAndRemember([entry(`${i}`, i % 250)]);
      expect(answer?.nearest?.similarity).toBe(best?.similarity as number);
      expect(answer?.comparedWith).toBe(whole.size);
      whole.add(vector, `${i}`);
    }
    for (let i = 300; i < 330; i++) {
      const found = await memory.nearest(vectorOf(i));
      expect(found?.similarity).toBe(whole.nearest(vectorOf(i))?.similarity as number);
    }
    const { shards, entries } = await memory.stats();
    expect(entries).toBe(300);
    for (const each of shards as { entries: number }[]) expect(each.entries).toBeGreaterThan(50);
    await memory.close();
    const [first] = await Promise.all(paths.map((path) => openTest(path)));
    expect(await first?.size).toBeLessThan(200);
  });

  it('compares the entries of one call in their order', async () => {
    const memory = await openShardedMemory(newFiles(), options);
    const call = Array.from({ length: 40 }, (_, i) => entry(`${i}`, i % 20));
    const answers = await memory.compareAndRemember(call);
    expect(answers[0]?.nearest).toBeUndefined();
    for (const [i, { nearest }] of answers.entries()) {
      if (i >= 20) expect(nearest).toMatchObject({ key: `${i - 20}`, similarity: 1 });
      else expect(Number(nearest?.key ?? -1)).toBeLessThan(i);
    }
    await memory.close();
  });

  it('calls one of several exact repeats new, under concurrent calls', async () => {
    const paths = newFiles();
    const handles = await Promise.all([1, 2, 3, 4].map(() => openShardedMemory(paths, options)));
    for (let round = 0; round < 20; round++) {
      const all = await Promise.all(
        handles.map((memory, i) => memory.compareAndRemember([entry(`${round}/${i}`, round)])),
      );
      const news = all.filter(([answer]) => (answer?.nearest?.similarity ?? 0) < 0.999_999);
      expect(news).toHaveLength(1);
    }
    await Promise.all(handles.map((memory) => memory.close()));
  });

  it('never reports two similar traces of different shards both as new', async () => {
    const paths = newFiles(4);
    const handles = await Promise.all([1, 2].map(() => openShardedMemory(paths, options)));
    for (let round = 0; round < 50; round++) {
      const near = vectorOf(round).map((value, i) => value + (i === 0 ? 0.01 : 0));
      const [first, second] = await Promise.all([
        handles[0]?.compareAndRemember([entry(`${round}/a`, round)]),
        handles[1]?.compareAndRemember([{ ...entry(`${round}/b`, 0), vector: near }]),
      ]);
      const highest = [first, second].map((answers) => answers?.[0]?.nearest?.similarity ?? 0);
      expect(Math.max(...highest)).toBeGreaterThan(0.99);
    }
    await Promise.all(handles.map((memory) => memory.close()));
  });

  it('forgets, prunes, verifies and lists over all shards', async () => {
    const memory = await openShardedMemory(newFiles(), options);
    await memory.addAll(Array.from({ length: 30 }, (_, i) => entry(`${i}`, i)));
    await memory.compareAndRemember([entry('0', 50), entry('0', 51), entry('0', 52)]);
    expect(await memory.erase('0')).toEqual({ removed: 4, bytesErased: 'now' });
    expect(await memory.forget('0')).toBe(false);
    expect(await memory.findBytes('kp:trace:none')).toEqual({ found: [], unseen: [] });
    expect(await memory.verify()).toMatchObject({ entries: 29, problems: [] });
    expect((await Array.fromAsync(memory.entries())).length).toBe(29);
    await Bun.sleep(20);
    expect(await memory.prune({ olderThanMs: 10 })).toBe(29);
    expect(await memory.size).toBe(0);
    await memory.close();
  });

  it('finds earlier entries after a shard is added', async () => {
    const paths = newFiles(2);
    const before = await openShardedMemory(paths, options);
    await before.addAll(Array.from({ length: 20 }, (_, i) => entry(`${i}`, i)));
    await before.close();
    const after = await openShardedMemory([...paths, ...newFiles(1)], options);
    for (let i = 0; i < 20; i++) {
      const [answer] = await after.compareAndRemember([entry(`again ${i}`, i)]);
      expect(answer?.nearest?.similarity).toBe(1);
    }
    await after.close();
  });

  it('rejects an empty list, duplicate locations, and shards of different embedders', async () => {
    const [a = '', b = ''] = newFiles(2);
    for (const locations of [[], [a, a], [a, { location: a }]]) {
      await expect(openShardedMemory(locations, options)).rejects.toThrow('each once');
    }
    await (await openTest(a)).close();
    await (await openTest(b, { embedder: { id: 'other', dimensions: 8 } })).close();
    expect((await failureOf(openShardedMemory([a, b]))).code).toBe('MEMORY_MISMATCH');
    expect((await failureOf(openShardedMemory([a, b], options))).code).toBe('MEMORY_MISMATCH');
    const two = [
      { location: a, namespace: 'one' },
      { location: a, namespace: 'two' },
    ];
    await (await openShardedMemory(two, options)).close();
  });
});

describe('the contract of a memory, for shards', () => {
  // These rules need one order of all appends, one place for each id, or one limit.
  const notKept: readonly string[] = [
    'accepts concurrent calls and answers in their order',
    'gives a second run over the same ids the answers of the first',
    'replaces the vector of an id with sameId replace',
    'drops the oldest entries when it is full',
  ];
  it('has the rules that shards do not keep', () => {
    const titles = memoryContract.map(({ title }) => title);
    expect(titles).toEqual(expect.arrayContaining([...notKept]));
  });
  for (const { title, check } of memoryContract) {
    if (notKept.includes(title)) continue;
    it(title, () =>
      check(({ name, maxElements, embedderId: id, dimensions }) =>
        openShardedMemory(
          [1, 2].map((i) => join(folder, `contract-${name}-${i}.db`)),
          { embedder: { id, dimensions }, maxElements, onWarning: () => undefined },
        ),
      ),
    );
  }
});
