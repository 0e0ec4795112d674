import { describe, expect, it } from 'bun:test';
import type { Embedder } from '../embedder.ts';
import { EmbeddingCache } from './embedding-cache.ts';
import { withEmbeddingCache } from './with-embedding-cache.ts';

function countingEmbedder() {
  const calls: string[][] = [];
  let failures = 0;
  const embedder: Embedder = {
    id: 'counting',
    dimensions: 1,
    embed: async (texts) => {
      calls.push([...texts]);
      await Promise.resolve();
      if (failures-- > 0) throw new Error('not now');
      return texts.map((text) => ({ vector: Float32Array.of(text.length), truncated: false }));
    },
  };
  return {
    embedder,
    calls,
    failNext: () => {
      failures = 1;
    },
  };
}

const lengths = (embeddings: { vector: Float32Array }[]) =>
  embeddings.map(({ vector }) => vector[0]);

describe('withEmbeddingCache', () => {
  it('embeds a text once: in one call, in calls at once and in calls after', async () => {
    const { embedder, calls } = countingEmbedder();
    const cached = withEmbeddingCache(embedder);
    expect(lengths(await cached.embed(['a', 'bb', 'a']))).toEqual([1, 2, 1]);
    const [first, second] = await Promise.all([cached.embed(['ccc', 'a']), cached.embed(['ccc'])]);
    expect([lengths(first), lengths(second)]).toEqual([[3, 1], [3]]);
    expect(calls).toEqual([['a', 'bb'], ['ccc']]);
  });

  it('gives each caller a vector of its own', async () => {
    const cached = withEmbeddingCache(countingEmbedder().embedder);
    const [once] = await cached.embed(['a']);
    once?.vector.fill(9);
    expect(lengths(await cached.embed(['a', 'a']))).toEqual([1, 1]);
  });

  it('remembers no failure', async () => {
    const { embedder, failNext } = countingEmbedder();
    const cached = withEmbeddingCache(embedder);
    failNext();
    await expect(cached.embed(['a'])).rejects.toThrow('not now');
    expect(lengths(await cached.embed(['a']))).toEqual([1]);
  });

  it('embeds again what it had no room for, and gives it nonetheless', async () => {
    const { embedder, calls } = countingEmbedder();
    const cached = withEmbeddingCache(embedder, { maxTexts: 1 });
    expect(lengths(await cached.embed(['a', 'bb']))).toEqual([1, 2]);
    expect(lengths(await cached.embed(['bb', 'a']))).toEqual([2, 1]);
    expect(calls).toEqual([['a', 'bb'], ['a']]);
  });

  it('takes other boundaries for another text', async () => {
    const { embedder, calls } = countingEmbedder();
    const cached = withEmbeddingCache(embedder);
    await cached.embed(['a b'], { boundaries: [[2]] });
    await cached.embed(['a b'], { boundaries: [[2]] });
    await cached.embed(['a b'], { boundaries: [[1]] });
    await cached.embed(['a b']);
    expect(calls).toHaveLength(3);
  });

  it('lets one caller give up without harm to another', async () => {
    const cached = withEmbeddingCache(countingEmbedder().embedder);
    const controller = new AbortController();
    const { signal } = controller;
    const before = cached.embed(['a']);
    const abandoned = [cached.embed(['a'], { signal }), cached.embed(['bb'], { signal })];
    const after = cached.embed(['bb']);
    controller.abort(new Error('enough'));
    const reasons = (await Promise.allSettled(abandoned)).map((result) =>
      Reflect.get(result, 'reason'),
    );
    expect(reasons.map(String)).toEqual(['Error: enough', 'Error: enough']);
    expect([lengths(await before), lengths(await after)]).toEqual([[1], [2]]);
  });

  it('refuses bounds that are none', () => {
    const { embedder } = countingEmbedder();
    expect(() => withEmbeddingCache(embedder, { maxTexts: 0 })).toThrow(RangeError);
    expect(() => withEmbeddingCache(embedder, { maxCharacters: Number.NaN })).toThrow(RangeError);
  });
});

describe('EmbeddingCache', () => {
  it('forgets what was not used for longest', () => {
    const cache = new EmbeddingCache<number>({ maxTexts: 2 });
    cache.set('a', 1);
    cache.set('b', 2);
    cache.get('a');
    cache.set('c', 3);
    expect([cache.get('a'), cache.get('b'), cache.get('c')]).toEqual([1, undefined, 3]);
  });

  it('holds no more characters than it may, whatever is replaced or deleted', () => {
    const cache = new EmbeddingCache<number>({ maxCharacters: 10 });
    cache.set('aaaa', 1);
    cache.set('aaaa', 2);
    cache.set('bbbb', 3);
    expect(cache.size).toBe(2);
    cache.set('ccc', 4);
    expect([cache.get('aaaa'), cache.get('bbbb'), cache.get('ccc')]).toEqual([undefined, 3, 4]);
    cache.set('d'.repeat(11), 5);
    expect(cache.size).toBe(0);
  });
});
