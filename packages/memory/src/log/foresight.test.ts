import { describe, expect, it } from 'bun:test';
import { VectorCache } from '@kp/vector-cache';
import { Foresight } from './foresight.ts';

const near = (x: number, y: number): Float32Array => Float32Array.of(x, y);
const always = (): boolean => true;

/** A foresight that counts the caches it makes of what came since. */
function counted(): { foresight: Foresight; caches: VectorCache[] } {
  const caches: VectorCache[] = [];
  const foresight = new Foresight(() => {
    const cache = new VectorCache({ dimensions: 2, maxElements: 2000 });
    caches.push(cache);
    return cache;
  });
  return { foresight, caches };
}

describe('Foresight', () => {
  it('tells what was nearest, once for each operation', () => {
    const { foresight } = counted();
    const found = { key: 'a', similarity: 0.5 };
    foresight.note('one', found as never);
    foresight.note('two', undefined);
    expect(foresight.nearest('two', near(1, 0), always)).toBeUndefined();
    expect(foresight.nearest(undefined, near(1, 0), always)).toBeUndefined();
    expect(foresight.nearest('one', near(1, 0), always)).toBe(found as never);
    expect(foresight.nearest('one', near(1, 0), always)).toBeUndefined();
  });

  it('tells of what came since where that is nearer, and of equals the older', () => {
    const { foresight } = counted();
    const nearest = (similarity: number, x: number, y: number): string | undefined => {
      foresight.note('each', { key: 'before', similarity } as never);
      foresight.note('kept', { key: 'before', similarity } as never);
      foresight.added(near(x, y), 'since');
      const found = foresight.nearest('each', near(1, 0), always)?.key;
      foresight.clear();
      return found;
    };
    // (1, 0) and (3, 4) have a similarity of 0.6.
    expect(nearest(0.5, 3, 4)).toBe('since');
    expect(nearest(0.7, 3, 4)).toBe('before');
    expect(nearest(1, 1, 0)).toBe('before');
  });

  it('knows nothing of an entry that is gone, or came again', () => {
    const { foresight } = counted();
    for (const operation of ['one', 'two', 'three']) {
      foresight.note(operation, { key: 'a', similarity: 1 } as never);
    }
    expect(foresight.nearest('one', near(1, 0), () => false)).toBeUndefined();
    foresight.added(near(0, 1), 'a');
    expect(foresight.nearest('two', near(1, 0), always)).toBeUndefined();
    foresight.removed('a');
    expect(foresight.nearest('three', near(1, 0), always)?.key).toBe('a');
  });

  it('keeps what came since no longer than an operation is open', () => {
    const { foresight, caches } = counted();
    foresight.added(near(1, 0), 'a');
    foresight.note('nothing', undefined);
    foresight.added(near(1, 0), 'a');
    expect(caches).toHaveLength(0);
    foresight.note('one', { key: 'a', similarity: 1 } as never);
    foresight.note('two', { key: 'a', similarity: 1 } as never);
    foresight.added(near(1, 0), 'b');
    foresight.nearest('one', near(1, 0), always);
    foresight.added(near(1, 0), 'c');
    expect(caches.map(({ size }) => size)).toEqual([2]);
    foresight.nearest('two', near(1, 0), always);
    foresight.added(near(1, 0), 'd');
    expect(caches.map(({ size }) => size)).toEqual([2]);
    // The next begins anew.
    foresight.note('three', { key: 'a', similarity: 1 } as never);
    foresight.added(near(1, 0), 'e');
    expect(caches.map(({ size }) => size)).toEqual([2, 1]);
    foresight.clear();
    expect(foresight.nearest('three', near(1, 0), always)).toBeUndefined();
  });

  it('gives up when a thousand came since', () => {
    const { foresight } = counted();
    foresight.note('one', { key: 'a', similarity: 0.5 } as never);
    foresight.note('two', { key: 'a', similarity: 0.5 } as never);
    for (let entry = 0; entry < 999; entry++) foresight.added(near(1, entry), `${entry}`);
    expect(foresight.nearest('one', near(1, 0), always)?.key).toBe('0');
    foresight.added(near(1, 999), '999');
    expect(foresight.nearest('two', near(1, 0), always)).toBeUndefined();
  });
});
