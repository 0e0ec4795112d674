import type { ContractRule } from './embedder-contract.ts';
import { difference, embedOne, rule, TEXTS } from './rule.ts';

/** Largest difference that counts as the same vector. */
const TOLERANCE = 1e-5;

/** What the vectors are. */
export const vectorRules: readonly ContractRule[] = [
  rule('has an id and whole dimensions', async ({ id, dimensions }, expect) => {
    expect(typeof id === 'string' && id !== '', 'an id that is a string and not empty', id);
    expect(Number.isInteger(dimensions) && dimensions > 0, 'dimensions above 0', dimensions);
  }),

  rule('gives one embedding a text, of its dimensions, finite', async (embedder, expect) => {
    const embeddings = await embedder.embed(TEXTS);
    expect(embeddings.length === TEXTS.length, `${TEXTS.length} embeddings`, embeddings.length);
    for (const { vector, truncated } of embeddings) {
      expect(vector instanceof Float32Array, 'a Float32Array', typeof vector);
      expect(vector.length === embedder.dimensions, `${embedder.dimensions} values`, vector.length);
      expect(
        vector.every(Number.isFinite),
        'finite values',
        vector.find((x) => !Number.isFinite(x)),
      );
      expect(typeof truncated === 'boolean', 'truncated to be a boolean', typeof truncated);
    }
  }),

  rule('gives vectors of length 1, or 0 for nothing', async (embedder, expect) => {
    for (const { vector } of await embedder.embed([...TEXTS, '', ' \n\t'])) {
      const length = Math.hypot(...vector);
      expect(length === 0 || Math.abs(length - 1) < 1e-3, 'a length of 1 or 0', length);
    }
    const { vector } = await embedOne(embedder, TEXTS[0] as string);
    expect(
      vector.some((value) => value !== 0),
      'a vector for an English sentence',
      'zeros',
    );
  }),

  rule('gives the zero vector for a text with nothing in it', async (embedder, expect) => {
    for (const { vector } of await embedder.embed(['', ' \n\t'])) {
      expect(
        vector.every((value) => value === 0),
        'zeros',
        vector.find((value) => value !== 0),
      );
    }
  }),

  rule(
    'gives the same vector for the same text, alone and in company',
    async (embedder, expect) => {
      const together = await embedder.embed(TEXTS);
      for (const [i, text] of TEXTS.entries()) {
        const { vector } = await embedOne(embedder, text);
        const apart = difference(vector, together[i]?.vector ?? new Float32Array());
        expect(apart <= TOLERANCE, `a difference of at most ${TOLERANCE}`, apart);
      }
    },
  ),

  rule('takes lone surrogates and control characters', async (embedder, expect) => {
    for (const text of ['a \ud800 b', '\udc00', '\u0000', '\uffff\ufeff']) {
      const { vector } = await embedOne(embedder, text);
      expect(vector.every(Number.isFinite), 'finite values', JSON.stringify(text));
    }
  }),
];
