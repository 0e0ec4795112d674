import { describe, expect, it } from 'bun:test';
import { type Change, complaint, finding, sized } from '../../test/broken-memories.ts';

const isShort = ({ length }: Float32Array): boolean => length === 7;
const isInfinite = (vector: Float32Array): boolean => vector.includes(Infinity);

/** Accepts vectors silently but does not store them. */
const swallowing =
  (isMeant: (vector: Float32Array) => boolean): Change =>
  ({ add }) => ({
    add: async (vector, key) => (isMeant(vector) ? undefined : add(vector, key)),
  });

/** Stores part of the data that it rejects. */
const keeping =
  (isMeant: (vector: Float32Array) => boolean): Change =>
  ({ add }) => ({
    async add(vector, key) {
      if (isMeant(vector)) await add(new Float32Array(8).fill(1), key);
      await add(vector, key);
    },
  });

describe('the contract reports no problem for a memory', () => {
  it('that works correctly', async () => {
    expect(await complaint(() => ({}))).toBe('kept');
  });

  it.each<[string, string, Change]>([
    [
      'that is slow',
      'keeps a copy of the vector',
      ({ add }) => ({
        async add(vector, key) {
          const copy = vector.slice();
          await Promise.resolve();
          await add(copy, key);
        },
      }),
    ],
    [
      'for which nothing is similar to zeros',
      'accepts a zero vector, which is similar to nothing',
      () => ({ nearest: async () => undefined }),
    ],
    [
      'whose similarities are a little off',
      'returns the most similar entry with its key',
      finding(({ key = '', similarity }) => ({ key, similarity: similarity - 9e-6 })),
    ],
    [
      'whose similarities are a little off',
      'finds the entry added last, whatever the length of its vector',
      finding(({ key = '', similarity }) => ({ key, similarity: similarity - 9e-6 })),
    ],
  ])('%s: it %s', async (_, title, change) => {
    expect(await complaint(change, title)).toBe('kept');
  });
});

describe.each<[string, [string, Change][]]>([
  [
    'is empty when it is new',
    [
      ['a memory with size, received one without', () => ({ size: undefined })],
      ['a size of 0, received 7', sized((size) => size || 7)],
      [
        'nothing nearest, received {"similarity":0}',
        () => ({ nearest: async () => ({ similarity: 0 }) }),
      ],
    ],
  ],
  [
    'returns the most similar entry with its key',
    [
      ['a size of 60, received 59', sized((size) => size - 1)],
      ['a similarity of ', () => ({ nearest: async () => undefined })],
      ['a similarity of ', finding(({ similarity }) => ({ similarity: similarity - 1.1e-5 }))],
      ['a similarity of ', finding(({ similarity }) => ({ similarity: similarity + 1.1e-5 }))],
      ['trace ', finding(({ similarity }) => ({ similarity, key: 'trace' }))],
    ],
  ],
  [
    'finds the entry added last, whatever the length of its vector',
    [
      ['the key "one", received {"similarity"', finding(({ similarity }) => ({ similarity }))],
      [
        'a similarity of 1, received {"key":"one","similarity":2}',
        finding(() => ({ key: 'one', similarity: 2 })),
      ],
      ['a similarity of 1', finding(() => ({ key: 'one', similarity: 1 - 1.1e-5 }))],
    ],
  ],
  [
    'accepts a zero vector, which is similar to nothing',
    [['a similarity of 0', finding(() => ({ similarity: 0.5 }))]],
  ],
  [
    'keeps a copy of the vector',
    [
      [
        'the vector as it was added',
        ({ add }) => ({ add: (vector, key) => Promise.resolve().then(() => add(vector, key)) }),
      ],
      ['the vector as it was added', finding(() => ({ similarity: 1 - 1.1e-5 }))],
      ['the vector as it was added, received nothing', () => ({ add: async () => undefined })],
    ],
  ],
  [
    'rejects vectors of another length and keeps working',
    [
      ['an error, received nothing', swallowing(isShort)],
      [
        'an error, received nothing',
        ({ nearest }) => ({
          nearest: async (vector) => (isShort(vector) ? undefined : nearest(vector)),
        }),
      ],
      ['a size of 1, received 2', keeping(isShort)],
    ],
  ],
  [
    'rejects vectors that are not finite and keeps working',
    [
      ['an error, received nothing', swallowing((vector) => vector.some(Number.isNaN))],
      ['an error, received nothing', swallowing(isInfinite)],
      ['a size of 1, received 2', keeping(isInfinite)],
      ['the key "one", received nothing', () => ({ nearest: async () => undefined })],
    ],
  ],
  [
    'drops the oldest entries when it is full',
    [
      ['a size of 3, received 4', sized((size) => size + 1)],
      [
        'trace 1 to be gone',
        ({ add }, { kept }) => ({
          add: async (vector, key) => (kept().length < 3 ? add(vector, key) : undefined),
        }),
      ],
      [
        'trace 2 to be there, received {"key":"trace ',
        ({ add }, { kept }) => ({
          async add(vector, key) {
            if (kept().length === 3) kept().splice(1, 1);
            await add(vector, key);
          },
        }),
      ],
    ],
  ],
])('the rule that a memory %s', (title, broken) => {
  it.each(broken)('expects %s', async (expected, change) => {
    expect(await complaint(change, title)).toStartWith(`${title}: expected ${expected}`);
  });
});
