import { describe, expect, it } from 'bun:test';
import { createRandom } from '../test/random.ts';
import { ScalarStore } from './scalar-store.ts';

/** Rows at these cosines to the query. */
function storeOf(cosines: readonly number[]): ScalarStore {
  const store = new ScalarStore(2);
  for (const cosine of cosines) {
    store.load('row', Float64Array.of(cosine, Math.sqrt(1 - cosine * cosine)));
    store.append(0);
  }
  store.load('query', Float64Array.of(1, 0));
  return store;
}

describe('ScalarStore', () => {
  it('lets worse hits go without losing one that comes later and is among the best', () => {
    // 68 hits are enough to let all but the best two go: 0.9 and 0.5. Then comes 0.7.
    const cosines = [0.9, 0.5, ...new Array<number>(66).fill(0.1), 0.3, 0.7, 0.4];
    expect(storeOf(cosines).search(2, -1, undefined)).toEqual([
      { position: 0, similarity: expect.closeTo(0.9, 6) },
      { position: 69, similarity: expect.closeTo(0.7, 6) },
    ]);
  });

  it('tells its bytes: rows padded to eight values of four', () => {
    expect(storeOf([]).bytes).toBe(0);
    expect(storeOf([1, 0, 0]).bytes).toBe(3 * 8 * 4);
  });

  it('has nothing any more when it was cleared', () => {
    const store = storeOf([1, 0]);
    store.clear();
    expect([store.bytes, store.search(2, -1, undefined)]).toEqual([0, []]);
  });

  it('passes over what a mask leaves out, one bit an entry', () => {
    const store = storeOf(Array.from({ length: 20 }, (_, at) => 1 - at / 20));
    // The entries 3, 8 and 19.
    const mask = Uint8Array.of(0b0000_1000, 0b0000_0001, 0b0000_1000);
    const found = (k: number) => store.search(k, -1, mask).map(({ position }) => position);
    expect(found(9)).toEqual([3, 8, 19]);
    expect(found(1)).toEqual([3]);
    expect(store.search(2, -1, undefined).map(({ position }) => position)).toEqual([0, 1]);
  });

  it('finds what sorting all of them finds', () => {
    const random = createRandom(7);
    for (const [count, k] of [
      [64, 1],
      [66, 1],
      [1000, 1],
      [1000, 3],
      [1000, 40],
      [30, 40],
    ] as const) {
      // Many alike, of which the oldest come first.
      const cosines = Array.from({ length: count }, () => Math.round(20 * random()) / 20);
      const expected = cosines
        .map((cosine, position) => ({ cosine, position }))
        .sort((a, b) => b.cosine - a.cosine || a.position - b.position)
        .slice(0, k);
      const found = storeOf(cosines).search(k, -1, undefined);
      expect(found.map(({ position }) => position)).toEqual(
        expected.map(({ position }) => position),
      );
    }
  });
});
