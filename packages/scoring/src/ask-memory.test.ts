import { afterEach, describe, expect, it } from 'bun:test';
import { hashedVector, standInEmbedder } from '../test/stand-in-embedder.ts';
import { financeTrace } from '../test/traces.ts';
import type { NoveltyReport } from './score-report.ts';
import { createScorer } from './scorer.ts';

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

describe('an operation id', () => {
  afterEach(() => {
    Reflect.deleteProperty(crypto, 'randomUUID');
    Reflect.deleteProperty(crypto, 'getRandomValues');
  });

  it('is a random one of version 4 also where the page has no https', async () => {
    Object.defineProperty(crypto, 'randomUUID', { value: undefined, configurable: true });
    Object.defineProperty(crypto, 'getRandomValues', {
      value: (bytes: Uint8Array) => {
        expect(bytes).toHaveLength(16);
        return bytes.map((_, index) => index * 17);
      },
      configurable: true,
    });
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
    expect(ids).toEqual(['00112233-4455-4677-8899-aabbccddeeff']);
  });
});

describe('ready', () => {
  it('asks the embedder and the memory, and passes on what they fail with', async () => {
    const asked: string[] = [];
    const memory = {
      nearest: () => undefined,
      add: () => undefined,
      ready: async () => void asked.push('memory'),
    };
    const scorer = createScorer({
      embedder: { ...embedder(), ready: async () => void asked.push('embedder') },
      memory,
    });
    await scorer.ready();
    expect(asked).toEqual(['embedder', 'memory']);
    memory.ready = () => Promise.reject(new Error('no disk'));
    await expect(scorer.ready()).rejects.toThrow('no disk');
    await scorer.close();
  });
});
