import { expect, it } from 'bun:test';
import type { Embedder } from '../embedder.ts';
import { createLexicalEmbedder } from '../lexical/create-lexical-embedder.ts';
import { checkEmbedderContract } from './embedder-contract.ts';

const { embed } = createLexicalEmbedder();
it('the contract finds what becomes of an embedder as it is used', async () => {
  const states: [string, () => Partial<Embedder>][] = [
    [
      'ready twice at once',
      () => {
        let isLoading = false;
        return {
          async ready() {
            if (isLoading) throw new Error('ready twice at once');
            isLoading = true;
            await Promise.resolve();
            isLoading = false;
          },
        };
      },
    ],
    [
      'ready once more',
      () => {
        let isLoaded = false;
        return {
          async ready() {
            if (isLoaded) throw new Error('ready once more');
            await Promise.resolve();
            isLoaded = true;
          },
        };
      },
    ],
    [
      'is ready more than once: expected 1 embedding, received 0',
      () => {
        let isLoaded = false;
        return {
          async ready() {
            isLoaded = true;
          },
          embed: async (texts, options) => (isLoaded ? [] : embed(texts, options)),
        };
      },
    ],
    [
      'keeps its id and dimensions when it is loaded: expected other, received loaded',
      () => ({
        id: 'other',
        embed(this: { id: string }, texts, options) {
          this.id = 'loaded';
          return embed(texts, options);
        },
      }),
    ],
    [
      'keeps its id and dimensions when it is loaded: expected 384, received 2',
      () => ({
        embed(this: { dimensions: number }, texts, options) {
          // After the rule on dimensions, which has several texts.
          if (texts.length === 1 && texts[0] === 'a') this.dimensions = 2;
          return embed(texts, options);
        },
      }),
    ],
    [
      'gives concurrent calls what it gives one after the other: expected a difference',
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
    [
      'closed without use',
      () => {
        let isUsed = false;
        let isClosed = false;
        return {
          embed: async (texts, options) => {
            if (isClosed) throw new Error('closed');
            isUsed = true;
            return embed(texts, options);
          },
          async close() {
            if (!isUsed) throw new Error('closed without use');
            isClosed = true;
          },
        };
      },
    ],
  ];
  for (const [message, change] of states) {
    const checking = checkEmbedderContract(() => ({ ...createLexicalEmbedder(), ...change() }));
    const error = await checking.catch((reason: unknown) => reason);
    expect(String(error)).toContain(message);
  }
});
