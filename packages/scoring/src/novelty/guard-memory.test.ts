import { afterEach, describe, expect, it } from 'bun:test';
import { useVirtualTime } from '@kp/testing/virtual-time';
import { VectorCache } from '@kp/vector-cache';
import { later } from '../../test/stand-in-embedder.ts';
import { type EntryToVisit, guardMemory } from './guard-memory.ts';
import type { MemoryAnswer, MemoryEntry, NoveltyMemory } from './novelty-memory.ts';

useVirtualTime();

const empty = { nearest: () => undefined, add: () => undefined };
const entry: EntryToVisit = {
  vector: Float32Array.of(1, 0),
  key: 'kp:trace:a',
  compare: true,
  remember: true,
  accept: () => true,
};
const visit = (memory: unknown, change: Partial<EntryToVisit> = {}): Promise<MemoryAnswer> =>
  guardMemory(memory as NoveltyMemory, 'compare', 50).visit({ ...entry, ...change });
const together = (answers: unknown): Promise<readonly MemoryAnswer[]> | undefined =>
  guardMemory(
    { ...empty, compareAndRemember: () => answers as never },
    'compare',
    50,
  ).rememberTogether?.([entry]);

describe('a similarity', () => {
  it.each([
    [1, 1],
    [1.0001, 1],
    [0.25, 0.25],
    [-1.0001, -1],
  ])('of %d is read as %d', async (similarity, read) => {
    const { nearest } = await visit({ ...empty, nearest: () => ({ key: 'b', similarity }) });
    expect(nearest).toEqual({ key: 'b', similarity: read });
  });
});

describe('bad data', () => {
  it.each([
    [null, 'the nearest trace, or undefined, received null'],
    ['near', 'the nearest trace, or undefined, received "near"'],
    [{ key: 'a' }, 'a similarity from -1 to 1, received nothing'],
    [{ similarity: '0.5' }, 'a similarity from -1 to 1, received "0.5"'],
    [{ similarity: Number.NaN }, 'a similarity from -1 to 1, received NaN'],
    [{ similarity: 1.00011 }, 'a similarity from -1 to 1, received 1.00011'],
    [{ similarity: -Infinity }, 'a similarity from -1 to 1, received -Infinity'],
    [{ key: 3, similarity: 0.5 }, 'text or undefined as key, received 3'],
  ])('from nearest is described: %p', async (answer, message) => {
    await expect(visit({ ...empty, nearest: () => answer })).rejects.toMatchObject({
      code: 'MEMORY_ANSWER_INVALID',
      message: `memory: nearest: expected ${message}`,
    });
  });

  it.each([1.5, '3', -1, Number.NaN])('from size is described: %p', async (size) => {
    await expect(visit({ ...empty, size })).rejects.toThrow(
      'memory: size: expected a number of entries, or undefined, received',
    );
  });

  it.each([
    [null, '1 answers, received null'],
    [[], '1 answers, received 0'],
    [[{}, {}], '1 answers, received 2'],
    [[null], 'an object as each answer, received null'],
    [[{ nearest: { similarity: Number.NaN } }], 'a similarity from -1 to 1'],
    [['near'], 'an object as each answer, received "near"'],
    [[{ comparedWith: 1 }], 'the nearest of the 1 entries it compared with, received nothing'],
    [[{ comparedWith: -1 }], 'a number of entries, or undefined'],
    [[{ key: 'a', similarity: 1 }], 'nearest and comparedWith in each answer, received "key"'],
    [Object.assign([{ nearest: 3 }], { map: () => [{}] }), 'the nearest trace, or undefined'],
  ])('from compareAndRemember is described: %p', async (answers, message) => {
    await expect(together(answers)).rejects.toThrow(
      `memory: compareAndRemember: expected ${message}`,
    );
  });

  it('does not cover additional fields of a result', async () => {
    const answer = { nearest: { similarity: 0.25 }, tookMs: 3 };
    expect(await together([answer])).toEqual([{ nearest: { similarity: 0.25 } }]);
    expect(await together([{}])).toEqual([{}]);
  });
});

describe('a failure', () => {
  it('names the class of the memory, if any', async () => {
    const nearest = (): never => {
      throw 'no disk';
    };
    class Shelf {
      nearest = nearest;
      add = empty.add;
    }
    const failing = { ...empty, nearest };
    await expect(visit(new Shelf())).rejects.toMatchObject({
      code: 'MEMORY_FAILED',
      message: 'memory Shelf: nearest failed: "no disk"',
    });
    const nameless = [
      failing,
      Object.assign(Object.create(null), failing),
      { ...failing, constructor: { name: 5 } },
      new (class {
        nearest = nearest;
        add = empty.add;
      })(),
    ];
    for (const memory of nameless) {
      await expect(visit(memory)).rejects.toThrow('memory: nearest failed: "no disk"');
    }
  });

  it('by timeout aborts the signal of the call', async () => {
    const signals: (AbortSignal | undefined)[] = [];
    const hang = (_: unknown, options?: { signal?: AbortSignal }): Promise<never> => {
      signals.push(options?.signal);
      return new Promise(() => undefined);
    };
    await expect(visit({ ...empty, nearest: hang })).rejects.toThrow(
      'memory: nearest: expected an answer within 50 ms, received none',
    );
    const memory = { ...empty, compareAndRemember: hang };
    await expect(guardMemory(memory, 'compare', 50).rememberTogether?.([entry])).rejects.toThrow(
      'memory: compareAndRemember: expected an answer within 50 ms',
    );
    expect(signals.map((signal) => signal?.aborted)).toEqual([true, true]);
  });
});

describe('visit', () => {
  const calls: string[] = [];
  const memory = {
    nearest: () => void calls.push('nearest'),
    add: async (_: unknown, key: string) => void calls.push(`add ${key}`),
    async forget(key: string) {
      calls.push(`forget ${key}`);
      await later(2, () => undefined);
      calls.push('forgotten');
      return true;
    },
  };
  afterEach(() => void calls.splice(0));

  it('replaces an entry by awaiting forget before comparing', async () => {
    const { visit } = guardMemory(memory, 'replace', 50);
    await visit(entry);
    expect(calls).toEqual(['forget kp:trace:a', 'forgotten', 'nearest', 'add kp:trace:a']);
    calls.length = 0;
    await visit({ ...entry, remember: false });
    expect(calls).toEqual(['nearest']);
  });

  it('removes no entry for one that is remembered without a comparison and not accepted', async () => {
    const { visit } = guardMemory(memory, 'replace', 50);
    await visit({ ...entry, compare: false, accept: () => false });
    expect(calls).toEqual([]);
    await visit({ ...entry, compare: false });
    expect(calls).toEqual(['forget kp:trace:a', 'forgotten', 'add kp:trace:a']);
  });

  it('leaves out the old entry of a cache, which stays unless the new one is accepted', async () => {
    const cache = new VectorCache({ dimensions: 2 });
    cache.add([1, 0], entry.key);
    cache.add([3, 4], 'kp:trace:b');
    cache.add([0, 1]);
    cache.add([0.9, 0.1], entry.key);
    const { visit } = guardMemory(cache, 'replace', 50);
    const keys = (): unknown[] => [...cache.entries()].map(({ key }) => key);
    const answer = {
      nearest: { key: 'kp:trace:b', similarity: expect.closeTo(0.6, 6) },
      comparedWith: 2,
    };
    expect(await visit({ ...entry, mayFail: true, accept: () => false })).toEqual(answer as never);
    expect(keys()).toEqual([entry.key, 'kp:trace:b', undefined, entry.key]);
    expect(await visit({ ...entry, mayFail: true })).toEqual(answer as never);
    expect(keys()).toEqual(['kp:trace:b', undefined, entry.key]);
    expect(await visit(entry)).toEqual(answer as never);
    expect(keys()).toEqual(['kp:trace:b', undefined, entry.key]);
  });

  it('does not remember an entry that is not accepted', async () => {
    const answers: MemoryAnswer[] = [];
    const accept = (answer: MemoryAnswer): boolean => answers.push(answer) > 1;
    await visit({ ...memory, size: 3 }, { accept });
    expect(calls).toEqual(['nearest']);
    await visit({ ...memory, size: 3 }, { accept });
    expect(calls).toEqual(['nearest', 'nearest', 'add kp:trace:a']);
    expect(answers).toEqual([{ comparedWith: 3 }, { comparedWith: 3 }]);
  });
});

describe('an operation id', () => {
  afterEach(() => {
    Reflect.deleteProperty(crypto, 'randomUUID');
    Reflect.deleteProperty(crypto, 'getRandomValues');
  });

  async function operationId(): Promise<string> {
    const ids: string[] = [];
    const compareAndRemember = (entries: readonly MemoryEntry[]): MemoryAnswer[] =>
      entries.map(({ operationId: id }) => ({ comparedWith: ids.push(id) * 0 }));
    await guardMemory({ ...empty, compareAndRemember }, 'compare', 50).rememberTogether?.([entry]);
    return ids.join();
  }

  it('is a UUID from the platform', async () => {
    const value = (): string => 'from the platform';
    Object.defineProperty(crypto, 'randomUUID', { value, configurable: true });
    expect(await operationId()).toBe('from the platform');
  });

  it.each([
    [0x00, '00112233-4455-4677-8899-aabbccddeeff'],
    [0xff, 'ffeeddcc-bbaa-4988-b766-554433221100'],
  ])('is a UUID of version 4 on a page without HTTPS (bits %d)', async (flipped, id) => {
    Object.defineProperty(crypto, 'randomUUID', { value: undefined, configurable: true });
    const value = (bytes: Uint8Array): Uint8Array =>
      bytes.map((_, index) => (index * 17) ^ flipped);
    Object.defineProperty(crypto, 'getRandomValues', { value, configurable: true });
    expect(await operationId()).toBe(id);
  });
});
