import { describe, expect, it } from 'bun:test';
import fc from 'fast-check';
import { compareKeys, keyOrder, placesOf } from './key-order.ts';

describe('keyOrder', () => {
  it('is ascending by UTF-16 code units, with equal keys in input order', () => {
    expect([...keyOrder(['b', 'a', 'a', 'B', 'a'])]).toEqual([3, 1, 2, 4, 0]);
    // A surrogate sorts before U+FFFF, although its character comes after it.
    expect([...keyOrder(['\uffff', '\u{10000}', ''])]).toEqual([2, 1, 0]);
    expect([...keyOrder([])]).toEqual([]);
  });

  it('keeps many equal keys in input order', () => {
    const keys = Array.from({ length: 1000 }, (_, run) => `${run % 3}`);
    const expected = [0, 1, 2].flatMap((key) =>
      keys.flatMap((each, run) => (each === `${key}` ? [run] : [])),
    );
    expect([...keyOrder(keys)]).toEqual(expected);
  });
});

describe('placesOf', () => {
  it('is the new position of each run', () => {
    fc.assert(
      fc.property(fc.array(fc.string({ maxLength: 2 })), (keys) => {
        const order = keyOrder(keys);
        const places = placesOf(order);
        expect([...places].map((place) => order[place])).toEqual(keys.map((_, run) => run));
      }),
    );
  });
});

describe('compareKeys', () => {
  it('returns 0 for equal keys, −1 in ascending and 1 in descending order', () => {
    expect([compareKeys('a', 'a'), compareKeys('a', 'b'), compareKeys('b', 'a')]).toEqual([
      0, -1, 1,
    ]);
  });
});
