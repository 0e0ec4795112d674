import { describe, expect, it } from 'bun:test';
import type { Embedder, Embedding, EmbedOptions } from '../embedding/embedder.ts';
import { createLexicalEmbedder } from '../lexical/create-lexical-embedder.ts';
import { checkEmbedderContract } from './embedder-contract.ts';

describe('the contract finds', () => {
  const broken = (change: Partial<Embedder>): Promise<unknown> => {
    const lexical = createLexicalEmbedder();
    return checkEmbedderContract(() => ({ ...lexical, ...change })).then(
      () => 'kept',
      (error: Error) => error.message,
    );
  };
  const { embed } = createLexicalEmbedder();
  /** Wraps an embedder and changes its results for these texts. */
  const changing =
    (change: (all: Embedding) => object, isMeant: (texts: readonly string[]) => boolean) =>
    async (texts: readonly string[], options?: EmbedOptions): Promise<Embedding[]> => {
      const embeddings = await embed(texts, options);
      return isMeant(texts) ? embeddings.map((all) => ({ ...all, ...change(all) })) : embeddings;
    };
  const scaled = (factor: number) =>
    changing(
      ({ vector }) => ({ vector: vector.map((x) => factor * x) }),
      () => true,
    );
  const spoilt =
    (value: number) =>
    ({ vector }: Embedding) => ({ vector: vector.with(0, value) });

  it('no problem in a correct embedder', async () => {
    expect(await broken({})).toBe('kept');
    expect(await broken({ embed: scaled(1.0009) })).toBe('kept');
  });

  it('the broken rule and names it by its title', async () => {
    const checking = checkEmbedderContract(() => ({ ...createLexicalEmbedder(), id: '' }));
    await expect(checking).rejects.toMatchObject({
      name: 'EmbedderContractError',
      code: 'EMBEDDER_CONTRACT_BROKEN',
      subject: 'has an id and whole dimensions',
      expected: 'an id that is a string and not empty',
      received: '',
    });
  });

  it.each<[string, string, Partial<Embedder>]>([
    ['an id that is not a string', 'an id that is a string', { id: 7 as never }],
    ['no dimensions', 'expected dimensions above 0, received 0', { dimensions: 0 }],
    ['wrong dimensions', 'expected 383 values, received 384', { dimensions: 383 }],
    [
      'missing embeddings',
      'expected 8 embeddings, received 7',
      { embed: async (texts) => (await embed(texts)).slice(1) },
    ],
    [
      'doubles',
      'expected a Float32Array, received [object Float64Array]',
      {
        embed: changing(
          ({ vector }) => ({ vector: Float64Array.from(vector) }),
          () => true,
        ),
      },
    ],
    [
      'a component that is not a number',
      'returns one finite embedding per text, with its dimensions: expected finite values, received NaN',
      { embed: changing(spoilt(Number.NaN), () => true) },
    ],
    [
      'a missing truncated field',
      'expected truncated to be a boolean, received undefined',
      {
        embed: changing(
          () => ({ truncated: undefined }),
          () => true,
        ),
      },
    ],
    [
      'vectors that are too long',
      'expected a length of 1 or 0, received 1.00',
      { embed: scaled(1.0011) },
    ],
    ['zeros for everything', 'expected a vector for an English sentence', { embed: scaled(0) }],
    [
      'no embedding for a single text',
      'expected one embedding per text, received no embedding for one text',
      { embed: async (texts) => (texts.length === 1 ? [] : embed(texts)) },
    ],
    [
      'a vector for a text with nothing in it',
      'returns the zero vector for a blank text: expected zeros, received 1',
      { embed: changing(({ vector }) => spoilt(1)({ vector: vector.fill(0) } as never), isBlank) },
    ],
    [
      'vectors that depend on the other texts of the call',
      'alone and with others',
      { embed: async (texts) => (await embed(texts)).toReversed() },
    ],
    [
      'NaN for a lone surrogate',
      'accepts lone surrogates and control characters: expected finite values',
      { embed: changing(spoilt(Number.NaN), ([first]) => first === '\udc00') },
    ],
    [
      'an embedding for an empty list',
      'returns nothing for an empty list: expected no embeddings, received 1',
      { embed: (texts, options) => embed(texts.length === 0 ? ['a'] : texts, options) },
    ],
    [
      'texts that are converted to strings',
      'naming its index: expected an error, received an embedding',
      { embed: (texts) => embed(texts.map(String)) },
    ],
    [
      'an error that does not name the index',
      'expected a message that names index 1, received TypeError: no text',
      { embed: (texts) => embed(texts).catch(() => Promise.reject(new TypeError('no text'))) },
    ],
    [
      'texts that are read too late',
      'reads its texts before it returns',
      { embed: async (texts) => Promise.resolve().then(() => embed(texts)) },
    ],
    [
      'texts that are modified',
      'texts are read only',
      {
        embed: (texts) => {
          if (Object.isFrozen(texts)) return Promise.reject(new TypeError('texts are read only'));
          return embed(texts);
        },
      },
    ],
    [
      'a signal that is ignored',
      'rejects at once if its signal is already aborted: expected the reason of the signal',
      { embed: (texts) => embed(texts) },
    ],
    [
      'a reason other than that of the signal',
      'expected the reason of the signal, received Error: aborted',
      {
        embed: (texts, options) =>
          embed(texts, options).catch((error) =>
            Promise.reject(options?.signal ? new Error('aborted') : error),
          ),
      },
    ],
    [
      'boundaries that change the result',
      'accepts boundaries: expected finite values',
      {
        embed: async (texts, options) =>
          changing(spoilt(Number.NaN), () => options?.boundaries !== undefined)(texts, options),
      },
    ],
    ['embeddings after close', 'rejects embed afterwards', { close: async () => undefined }],
  ])('%s', async (_, message, change) => {
    expect(await broken(change)).toContain(message);
  });

  it.each<[string, () => Partial<Embedder>]>([
    [
      'two concurrent calls of ready',
      () => {
        let isLoading = false;
        return {
          async ready() {
            if (isLoading) throw new Error('two concurrent calls of ready');
            isLoading = true;
            await Promise.resolve();
            isLoading = false;
          },
        };
      },
    ],
    [
      'does not change its id and dimensions on loading: expected other, received loaded',
      () => ({
        id: 'other',
        embed(this: { id: string }, texts, options) {
          this.id = 'loaded';
          return embed(texts, options);
        },
      }),
    ],
    [
      'returns the same for concurrent and sequential calls: expected a difference',
      () => {
        let latest: readonly string[] = [];
        return {
          async embed(texts, options) {
            const checked = embed(texts, options);
            latest = [...texts];
            await checked;
            return embed(latest, options);
          },
        };
      },
    ],
    [
      'closed twice',
      () => {
        let isClosed = false;
        return {
          async close() {
            if (isClosed) throw new Error('closed twice');
            isClosed = true;
          },
        };
      },
    ],
  ])('what changes as it is used: %s', async (message, change) => {
    const checking = checkEmbedderContract(() => ({ ...createLexicalEmbedder(), ...change() }));
    await expect(checking).rejects.toThrow(message);
  });

  it('a vector shared between callers or between the texts of one call', async () => {
    const shared = new Map<string, Float32Array>();
    const sharing: Embedder['embed'] = async (texts) =>
      (await embed(texts)).map((embedding, i) => {
        const key = `${i} ${texts[i]}`;
        const vector = shared.get(key) ?? embedding.vector;
        shared.set(key, vector);
        return { ...embedding, vector };
      });
    expect(await broken({ embed: sharing })).toContain(
      'returns vectors that the caller may change: expected vectors no caller can change',
    );
    const sharingOnce: Embedder['embed'] = async (texts, options) => {
      const embeddings = await embed(texts, options);
      return texts.map((text) => embeddings[texts.indexOf(text)]);
    };
    expect(await broken({ embed: sharingOnce })).toContain(
      'expected one vector a text, received a shared one',
    );
  });

  it('no open embedder afterwards: it closes every embedder that it has checked', async () => {
    const counts = { made: 0, closed: 0 };
    const make = (change: Partial<Embedder>) => () => {
      counts.made++;
      return { ...createLexicalEmbedder(), ...change, close: async () => void counts.closed++ };
    };
    await checkEmbedderContract(make({ id: '' })).catch(() => undefined);
    expect(counts).toEqual({ made: 1, closed: 1 });
  });
});

function isBlank(texts: readonly string[]): boolean {
  return texts.length === 2 && texts.every((text) => text.trim() === '');
}
