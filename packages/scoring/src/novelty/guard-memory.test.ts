import { afterEach, describe, expect, it } from 'bun:test';
import { useVirtualTime } from '@kp/testing/virtual-time';
import { hashedVector, later, standInEmbedder } from '../../test/stand-in-embedder.ts';
import { financeTrace } from '../../test/traces.ts';
import type { NoveltyReport } from '../formula/score-report.ts';
import { createScorer } from '../scorer/scorer.ts';
import type { NoveltyMemory } from './novelty-memory.ts';

useVirtualTime();

const embedder = () => standInEmbedder(16, (text) => hashedVector(text, 16));

/** The novelty that comes of what a memory says is nearest, and what was warned of. */
async function noveltyFor(nearest: unknown): Promise<{ novelty: NoveltyReport; told: string[] }> {
  const told: string[] = [];
  const scorer = createScorer({
    embedder: embedder(),
    memory: { nearest: () => nearest as never, add: () => undefined },
    budgetMs: Infinity,
    onWarning: ({ cause }) => {
      told.push(cause instanceof Error ? cause.message : '');
    },
  });
  const { novelty } = await scorer.score(financeTrace);
  await scorer.close();
  return { novelty, told };
}

describe('a similarity', () => {
  it.each([
    [1, 1],
    [1.0001, 1],
    [0.25, 0.25],
    [-1, -1],
    [-1.0001, -1],
  ])('of %d is taken for %d', async (similarity, taken) => {
    const { novelty, told } = await noveltyFor({ key: 'a', similarity });
    expect(novelty.source).toBe('nearest');
    expect(novelty.nearest).toEqual({ key: 'a', similarity: taken });
    expect(told).toEqual([]);
  });

  it.each([1.00011, -1.00011, Infinity, NaN, null, '1'])('of %p is refused', async (similarity) => {
    const { novelty, told } = await noveltyFor({ key: 'a', similarity });
    expect(novelty.source).toBe('memory_failed');
    expect(told.join()).toContain('expected a similarity from -1 to 1');
  });
});

describe('a memory', () => {
  const failing = {
    nearest: () => {
      throw 'no disk';
    },
    add: () => undefined,
  };

  async function failureOf(memory: NoveltyMemory): Promise<string | undefined> {
    const scorer = createScorer({ embedder: embedder(), memory, onWarning: () => undefined });
    const { novelty } = await scorer.evaluate(financeTrace);
    expect(novelty.source).toBe('memory_failed');
    return novelty.failure?.message;
  }

  it('is called by its class, where that has a name', async () => {
    class Shelf {
      nearest = failing.nearest;
      add = failing.add;
    }
    const bare = Object.assign(Object.create(null), failing);
    const odd = { ...failing, constructor: { name: 5 } };
    expect(await failureOf(new Shelf())).toBe('memory Shelf: nearest failed: "no disk"');
    for (const nameless of [
      failing,
      bare,
      odd,
      new (class {
        nearest = failing.nearest;
        add = failing.add;
      })(),
    ]) {
      expect(await failureOf(nameless)).toBe('memory: nearest failed: "no disk"');
    }
  });

  it.each([1.5, '3', -1])('of the size %p is named', async (size) => {
    const memory = { size: size as number, nearest: () => undefined, add: () => undefined };
    expect(await failureOf(memory)).toStartWith(
      'memory: size: expected a number of entries, or undefined, received',
    );
  });

  it('forgets before it compares, each waited for, where an id is to be replaced', async () => {
    const asked: string[] = [];
    let broken = false;
    const memory = {
      nearest: () => void asked.push('nearest'),
      add: async (_: unknown, key: string) => void asked.push(`add ${key}`),
      async forget(key: string) {
        asked.push(`forget ${key}`);
        await later(2, () => undefined);
        if (broken) throw new Error('read-only');
        asked.push('forgotten');
        return true;
      },
    };
    const scorer = createScorer({
      embedder: embedder(),
      memory,
      sameId: 'replace',
      budgetMs: Infinity,
      onWarning: () => undefined,
    });
    const { id } = financeTrace;
    await scorer.evaluate(financeTrace);
    expect(asked).toEqual([`forget ${id}`, 'forgotten', 'nearest', `add ${id}`]);
    await scorer.score(financeTrace);
    expect(asked.slice(4)).toEqual(['nearest']);
    broken = true;
    await expect(scorer.remember(financeTrace)).rejects.toThrow('memory: forget failed: read-only');
    await scorer.close();
  });

  it('is told by a signal that its answer to many is given up', async () => {
    const signals: (AbortSignal | undefined)[] = [];
    const memory: NoveltyMemory = {
      ...failing,
      compareAndRemember(_, options) {
        signals.push(options?.signal);
        return new Promise(() => undefined);
      },
    };
    const scorer = createScorer({
      embedder: embedder(),
      memory,
      operationTimeoutMs: 10,
      budgetMs: Infinity,
      onWarning: () => undefined,
    });
    const { novelty } = await scorer.evaluate(financeTrace);
    expect(novelty.failure?.message).toStartWith(
      'memory: compareAndRemember: expected an answer within 10 ms',
    );
    expect(signals.map((signal) => signal?.aborted)).toEqual([true]);
  });

  it('may say more in an answer than it must', async () => {
    const answer = { nearest: { similarity: 0.25 }, tookMs: 3 };
    const memory = { ...failing, compareAndRemember: () => [answer] };
    const { novelty } = await createScorer({ embedder: embedder(), memory }).evaluate(financeTrace);
    expect(novelty.nearest).toEqual({ similarity: 0.25 });
  });
});

describe('an operation id', () => {
  afterEach(() => {
    Reflect.deleteProperty(crypto, 'randomUUID');
    Reflect.deleteProperty(crypto, 'getRandomValues');
  });

  async function operationId(): Promise<string> {
    const ids: string[] = [];
    const scorer = createScorer({
      embedder: embedder(),
      memory: {
        nearest: () => undefined,
        add: () => undefined,
        compareAndRemember: (entries) => {
          ids.push(...entries.map(({ operationId }) => operationId));
          return entries.map(() => ({}));
        },
      },
      budgetMs: Infinity,
    });
    await scorer.evaluate(financeTrace);
    await scorer.close();
    return ids.join();
  }

  it('is the platform’s own where it has one', async () => {
    const value = (): string => 'from the platform';
    Object.defineProperty(crypto, 'randomUUID', { value, configurable: true });
    expect(await operationId()).toBe('from the platform');
  });

  it.each([
    [0x00, '00112233-4455-4677-8899-aabbccddeeff'],
    [0xff, 'ffeeddcc-bbaa-4988-b766-554433221100'],
  ])('is of version 4 also where the page has no https (bits %d)', async (flipped, id) => {
    Object.defineProperty(crypto, 'randomUUID', { value: undefined, configurable: true });
    Object.defineProperty(crypto, 'getRandomValues', {
      value: (bytes: Uint8Array) => {
        expect(bytes).toHaveLength(16);
        return bytes.map((_, index) => (index * 17) ^ flipped);
      },
      configurable: true,
    });
    expect(await operationId()).toBe(id);
  });
});
