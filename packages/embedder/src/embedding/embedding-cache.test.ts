import { describe, expect, it } from 'bun:test';
import type { Embedder, Embedding } from './embedder.ts';
import { cachedEmbed, withEmbeddingCache } from './embedding-cache.ts';

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

function answerOf(values: number[]): Embedding {
  return { vector: Float32Array.from(values), truncated: false };
}

const lengths = (embeddings: { vector: Float32Array }[]) =>
  embeddings.map(({ vector }) => vector[0]);

describe('withEmbeddingCache', () => {
  it('embeds a text once within one call and across concurrent and later calls', async () => {
    const { embedder, calls } = countingEmbedder();
    const cached = withEmbeddingCache(embedder);
    expect(lengths(await cached.embed(['a', 'bb', 'a']))).toEqual([1, 2, 1]);
    const [first, second] = await Promise.all([cached.embed(['ccc', 'a']), cached.embed(['ccc'])]);
    expect([lengths(first), lengths(second)]).toEqual([[3, 1], [3]]);
    expect(calls).toEqual([['a', 'bb'], ['ccc']]);
  });

  it('returns a separate vector to each caller', async () => {
    const cached = withEmbeddingCache(countingEmbedder().embedder);
    const [once] = await cached.embed(['a']);
    once?.vector.fill(9);
    expect(lengths(await cached.embed(['a', 'a']))).toEqual([1, 1]);
  });

  it('does not cache failures', async () => {
    const { embedder, failNext } = countingEmbedder();
    const cached = withEmbeddingCache(embedder);
    failNext();
    await expect(cached.embed(['a'])).rejects.toThrow('not now');
    expect(lengths(await cached.embed(['a']))).toEqual([1]);
  });

  describe.each<[string, (texts: readonly string[]) => unknown]>([
    ['too short', (texts) => texts.map((text) => answerOf(text === 'bad' ? [] : [1]))],
    ['NaN', (texts) => texts.map((text) => answerOf([text === 'bad' ? Number.NaN : 1]))],
    ['missing', (texts) => texts.map((text) => (text === 'bad' ? undefined : answerOf([1])))],
  ])('an embedding that is %s', (_, answer) => {
    it('rejects only the calls for its text and is not cached', async () => {
      const calls: string[][] = [];
      let isBroken = true;
      const cached = withEmbeddingCache({
        id: 'broken',
        dimensions: 1,
        embed: async (texts) => {
          calls.push([...texts]);
          return (isBroken ? answer(texts) : texts.map(() => answerOf([1]))) as Embedding[];
        },
      });
      const both = cached.embed(['good', 'bad']);
      const good = cached.embed(['good']);
      await expect(both).rejects.toMatchObject({ code: 'EMBEDDING_INVALID' });
      expect(lengths(await good)).toEqual([1]);
      isBroken = false;
      expect(lengths(await cached.embed(['good', 'bad']))).toEqual([1, 1]);
      expect(calls).toEqual([['good', 'bad'], ['bad']]);
    });
  });

  it.each([
    ['one embedding too few', async () => [answerOf([1])], '2 embeddings, received 1'],
    ['nothing', async () => undefined, '2 embeddings, received nothing'],
    ['an array instead of a promise', () => [], '2 embeddings, received 0'],
  ])('rejects if the embedder returns %s, and calls it again', async (_, embed, message) => {
    const embedder: Embedder = { id: 'broken', dimensions: 1, embed: embed as never };
    const cached = withEmbeddingCache(embedder);
    const error = `embedder broken: expected ${message}`;
    await expect(cached.embed(['a', 'b'])).rejects.toThrow(error);
    embedder.embed = async (texts) => texts.map(() => answerOf([1]));
    expect(lengths(await cached.embed(['a', 'b']))).toEqual([1, 1]);
  });

  it('copies a vector whose buffer the embedder reuses', async () => {
    const vector = new Float32Array(1);
    const answer = { vector, truncated: false };
    const cached = withEmbeddingCache({
      id: 'reusing',
      dimensions: 1,
      embed: async ([text]) => {
        vector[0] = text.length;
        return [answer];
      },
    });
    expect(lengths(await cached.embed(['a']))).toEqual([1]);
    expect(lengths(await cached.embed(['bb']))).toEqual([2]);
    answer.truncated = true;
    expect(await cached.embed(['a'])).toEqual([{ vector: Float32Array.of(1), truncated: false }]);
  });

  it('returns vectors that do not fit into the cache, and embeds them again later', async () => {
    const { embedder, calls } = countingEmbedder();
    const cached = withEmbeddingCache(embedder, { maxTexts: 1 });
    expect(lengths(await cached.embed(['a', 'bb']))).toEqual([1, 2]);
    expect(lengths(await cached.embed(['bb', 'a']))).toEqual([2, 1]);
    expect(calls).toEqual([['a', 'bb'], ['a']]);
  });

  it('treats different boundaries as a different text', async () => {
    const { embedder, calls } = countingEmbedder();
    const cached = withEmbeddingCache(embedder);
    await cached.embed(['a b'], { boundaries: [[2]] });
    await cached.embed(['a b'], { boundaries: [[2]] });
    await cached.embed(['a b'], { boundaries: [[1]] });
    await cached.embed(['a b']);
    expect(calls).toHaveLength(3);
  });

  it('lets one caller abort without affecting another', async () => {
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

  it.each<[unknown, unknown, string]>([
    ['embedder', { maxTexts: 0 }, 'maxTexts: expected a number of at least 1, received 0'],
    ['embedder', { maxTexts: '5' }, 'maxTexts: expected a number of at least 1, received "5"'],
    ['embedder', { maxCharacters: Number.NaN }, 'maxCharacters: expected a number'],
    ['embedder', null, 'options: expected an object, received null'],
    [null, {}, 'embedder: expected an object with embed(), received null'],
    [{ embed: 5 }, {}, 'embedder: expected an object with embed()'],
  ])('refuses %p with the options %p', (given, options, message) => {
    const embedder = given === 'embedder' ? countingEmbedder().embedder : given;
    expect(() => withEmbeddingCache(embedder as never, options as never)).toThrow(message);
  });

  it('does not confuse a text with digits and a zero byte with a text with boundaries', async () => {
    const { embedder, calls } = countingEmbedder();
    const cached = withEmbeddingCache(embedder);
    await cached.embed(['hello world'], { boundaries: [[5]] });
    expect(lengths(await cached.embed(['5\0hello world']))).toEqual([13]);
    await cached.embed(['hello world']);
    expect(calls).toEqual([['hello world'], ['5\0hello world'], ['hello world']]);
  });

  it('evicts the least recently used entry', async () => {
    const { embedder, calls } = countingEmbedder();
    const cached = withEmbeddingCache(embedder, { maxTexts: 2 });
    for (const text of ['a', 'b', 'a', 'c', 'a', 'b']) await cached.embed([text]);
    expect(calls).toEqual([['a'], ['b'], ['c'], ['b']]);
  });

  it('keeps at most the allowed number of characters', async () => {
    const { embedder, calls } = countingEmbedder();
    const cached = withEmbeddingCache(embedder, { maxCharacters: 10 });
    for (const text of ['aaaa', 'bbb', 'cccc', 'aaaa', 'd'.repeat(10), 'aaaa']) {
      await cached.embed([text]);
    }
    // Each entry counts its length plus one: cccc evicts aaaa, and d does not fit.
    const long = 'd'.repeat(10);
    expect(calls).toEqual([['aaaa'], ['bbb'], ['cccc'], ['aaaa'], [long], ['aaaa']]);
  });

  it('requests only missing texts with their boundaries', async () => {
    const asked: unknown[] = [];
    const { embed } = cachedEmbed({ id: 'own', dimensions: 1 }, async (texts, options) => {
      asked.push([texts, options?.boundaries]);
      return texts.map(() => ({ vector: Float32Array.of(1), truncated: false }));
    });
    await embed(['a'], { boundaries: [[1]] });
    await embed(['b', 'a', 'c'], { boundaries: [[2], [1], [3]] });
    await embed(['a']);
    expect(asked).toEqual([
      [['a'], [[1]]],
      [
        ['b', 'c'],
        [[2], [3]],
      ],
      [['a'], undefined],
    ]);
  });

  it('shares an abortable embedding only after it has completed', async () => {
    const { embedder, calls } = countingEmbedder();
    const cached = withEmbeddingCache(embedder);
    const { signal } = new AbortController();
    await Promise.all([cached.embed(['a'], { signal }), cached.embed(['a'])]);
    expect(calls).toEqual([['a'], ['a']]);
    await cached.embed(['b'], { signal });
    await cached.embed(['b']);
    expect(calls.slice(2)).toEqual([['b']]);
  });

  it('returns the original embed function if caching is disabled', async () => {
    const { embedder } = countingEmbedder();
    const { embed, clear } = cachedEmbed(embedder, embedder.embed, false);
    expect(embed).toBe(embedder.embed);
    expect(clear()).toBeUndefined();
  });

  it('forwards ready() and close() to the embedder', async () => {
    const asked: string[] = [];
    const cached = withEmbeddingCache({
      ...countingEmbedder().embedder,
      ready: async () => void asked.push('ready'),
      close: async () => void asked.push('close'),
    });
    await cached.ready();
    await cached.close();
    expect(asked).toEqual(['ready', 'close']);
    expect(cached).toMatchObject({ id: 'counting', dimensions: 1 });
    await expect(
      withEmbeddingCache(countingEmbedder().embedder).embed('a' as never),
    ).rejects.toThrow('texts: expected an array of strings');
  });

  it('drops pending embeddings on close', async () => {
    const { embedder } = countingEmbedder();
    const cached = withEmbeddingCache(embedder);
    const pending = cached.embed(['a']);
    await cached.close();
    expect(lengths(await pending)).toEqual([1]);
    await expect(cached.embed(['a'])).rejects.toMatchObject({ code: 'EMBEDDER_CLOSED' });
  });
});
