import { describe, expect, it } from 'bun:test';
import fc from 'fast-check';
import { seededOrder } from './random.ts';

describe('seededOrder', () => {
  it('contains each number once, and is the same for the same seed', () => {
    fc.assert(
      fc.property(fc.nat(200), fc.nat(), (length, seed) => {
        const order = seededOrder(length, seed);
        expect(order.toSorted((a, b) => a - b)).toEqual(Array.from({ length }, (_, i) => i));
        expect(seededOrder(length, seed)).toEqual(order);
      }),
    );
  });

  it('puts each number at each position about equally often', () => {
    const counts = new Map<string, number>();
    for (let seed = 0; seed < 2_400; seed++) {
      const key = seededOrder(4, seed).join('');
      counts.set(key, (counts.get(key) ?? 0) + 1);
    }
    // 24 orders, 100 of each expected; 4 standard deviations are 40.
    expect(counts.size).toBe(24);
    expect(Math.min(...counts.values())).toBeGreaterThan(60);
    expect(Math.max(...counts.values())).toBeLessThan(140);
  });
});
