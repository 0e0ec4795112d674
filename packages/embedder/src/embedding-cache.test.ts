import { describe, expect, it } from 'bun:test';
import type { Embedder } from './embedder.ts';
import { withEmbeddingCache } from './embedding-cache.ts';

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

  it('takes no text with digits and a zero byte for a text with boundaries', async () => {
    const { embedder, calls } = countingEmbedder();
    const cached = withEmbeddingCache(embedder);
    await cached.embed(['hello world'], { boundaries: [[5]] });
    expect(lengths(await cached.embed(['5\0hello world']))).toEqual([13]);
    await cached.embed(['hello world']);
    expect(calls).toEqual([['hello world'], ['5\0hello world'], ['hello world']]);
  });

  it('forgets what was not used for longest', async () => {
    const { embedder, calls } = countingEmbedder();
    const cached = withEmbeddingCache(embedder, { maxTexts: 2 });
    for (const text of ['a', 'b', 'a', 'c', 'a', 'b']) await cached.embed([text]);
    expect(calls).toEqual([['a'], ['b'], ['c'], ['b']]);
  });

  it('holds no more characters than it may', async () => {
    const { embedder, calls } = countingEmbedder();
    const cached = withEmbeddingCache(embedder, { maxCharacters: 10 });
    for (const text of ['aaaa', 'bbb', 'cccc', 'aaaa', 'd'.repeat(10), 'aaaa']) {
      await cached.embed([text]);
    }
    // Each counts one more than it is long: cccc leaves no room for aaaa, and d for none.
    const long = 'd'.repeat(10);
    expect(calls).toEqual([['aaaa'], ['bbb'], ['cccc'], ['aaaa'], [long], ['aaaa']]);
  });

  it('forgets when it is closed what was under way then', async () => {
    const { embedder } = countingEmbedder();
    const cached = withEmbeddingCache(embedder);
    const pending = cached.embed(['a']);
    await cached.close();
    expect(lengths(await pending)).toEqual([1]);
    await expect(cached.embed(['a'])).rejects.toMatchObject({ code: 'EMBEDDER_CLOSED' });
  });
});
