import type { ContractRule } from './embedder-contract.ts';
import { difference, embedOne, rule, TEXTS } from './rule.ts';

/** How `embed` treats its arguments and its callers. */
export const callRules: readonly ContractRule[] = [
  rule('gives nothing for no texts', async (embedder, expect) => {
    const embeddings = await embedder.embed([]);
    expect(embeddings.length === 0, 'no embeddings', embeddings.length);
  }),

  rule('refuses what is not text by a TypeError that names the index', async (embedder, expect) => {
    for (const wrong of [1, null, undefined, {}, ['a']]) {
      const texts = ['a', wrong] as string[];
      const error: unknown = await embedder.embed(texts).then(
        () => 'an embedding',
        (reason: unknown) => reason,
      );
      expect(error instanceof TypeError, 'a TypeError', error);
      expect(String(error).includes('1'), 'a message that names index 1', error);
    }
  }),

  rule(
    'reads its texts before it returns, and leaves them as they are',
    async (embedder, expect) => {
      const texts = Object.freeze([TEXTS[0] as string]);
      const { vector } = await embedOne(embedder, TEXTS[0] as string);
      const changing = [...texts];
      const promise = embedder.embed(changing);
      changing[0] = 'another text';
      const [embedding] = await promise;
      const apart = difference(vector, embedding?.vector ?? new Float32Array());
      expect(apart <= 1e-5, 'the vector of the text at the time of the call', `${apart} away`);
      await embedder.embed(texts);
    },
  ),

  rule('gives vectors that are the caller’s own', async (embedder, expect) => {
    const text = TEXTS[0] as string;
    const [first, second] = await embedder.embed([text, text]);
    const before = Float32Array.from(second?.vector ?? []);
    first?.vector.fill(9);
    expect(difference(before, second?.vector ?? before) === 0, 'one vector a text', 'a shared one');
    const { vector } = await embedOne(embedder, text);
    expect(difference(before, vector) <= 1e-5, 'vectors no caller can change', 'a changed one');
  }),

  rule('gives concurrent calls what it gives one after the other', async (embedder, expect) => {
    const together = await Promise.all(TEXTS.map((text) => embedder.embed([text])));
    for (const [i, text] of TEXTS.entries()) {
      const { vector } = await embedOne(embedder, text);
      const apart = difference(vector, together[i]?.[0]?.vector ?? new Float32Array());
      expect(apart <= 1e-5, 'a difference of at most 1e-5', apart);
    }
  }),

  rule('takes boundaries, and may ignore them', async (embedder, expect) => {
    const text = TEXTS.join(' ');
    const [embedding] = await embedder.embed([text], { boundaries: [[36, 38]] });
    expect(embedding?.vector.every(Number.isFinite) === true, 'finite values', embedding);
  }),
];
