import { describe, expect, it } from 'bun:test';
import fc from 'fast-check';
import { packMessages, packWords, unpackMessages, unpackWords } from './packed-runs.ts';

const LARGEST = 2 ** 32 - 1;

describe('packed words', () => {
  const texts = fc.array(
    fc.array(fc.tuple(fc.integer({ min: 0, max: LARGEST }), fc.integer({ min: 0, max: 65_535 })), {
      maxLength: 8,
    }),
    { maxLength: 5 },
  );

  it('are read as they were, with other numbers', () => {
    fc.assert(
      fc.property(texts, (given) => {
        const all = given.flat();
        let end = 0;
        const document = {
          words: Uint32Array.from(all, (_, index) => index),
          counts: Uint16Array.from(all, ([, count]) => count),
          ends: Uint32Array.from(given, (text) => (end += text.length)),
        };
        const numbers = Uint32Array.from(all, ([word]) => word);
        expect(unpackWords(packWords(document), numbers)).toEqual({ ...document, words: numbers });
      }),
    );
  });

  it('take one byte for each number below 128', () => {
    const document = {
      words: Uint32Array.of(5, 300),
      counts: Uint16Array.of(1, 2),
      ends: Uint32Array.of(1, 1, 2),
    };
    expect([...packWords(document)]).toEqual([3, 1, 0, 1, 5, 1, 0xac, 2, 2]);
  });
});

describe('packed messages', () => {
  it('are read as they were, with blank ones', () => {
    const digest = fc.constantFrom('', ...['0f', '10', 'ff'].map((byte) => byte.repeat(16)));
    fc.assert(
      fc.property(fc.array(fc.tuple(digest, fc.boolean()), { maxLength: 6 }), (given) => {
        const messages = {
          digests: given.map(([text]) => text),
          byUsers: given.flatMap(([, isUser], at) => (isUser ? [at] : [])),
        };
        expect(unpackMessages(packMessages(messages))).toEqual(messages);
      }),
    );
  });
});
