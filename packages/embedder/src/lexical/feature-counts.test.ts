import { describe, expect, it } from 'bun:test';
import fc from 'fast-check';
import { FeatureCounts } from './feature-counts.ts';

type Counted = [feature: number, count: number, weight: number];

function drained(counts: FeatureCounts): Counted[] {
  const all: Counted[] = [];
  counts.drain((...counted) => all.push(counted));
  return all;
}

describe('FeatureCounts', () => {
  it('agrees with a Map, in order of first appearance, text after text', () => {
    // Few distinct low bits, so that slots collide.
    const feature = fc.oneof(
      fc.integer({ min: 1, max: 50 }),
      fc.integer({ min: 1, max: 50 }).map((n) => n * 65_536),
      fc.integer({ min: 1, max: 0xffff_ffff }),
    );
    const counts = new FeatureCounts();
    fc.assert(
      fc.property(fc.array(feature), (features) => {
        const expected = new Map<number, Counted>();
        features.forEach((key, i) => {
          counts.add(key, i);
          const entry = expected.get(key);
          if (entry === undefined) expected.set(key, [key, 1, i]);
          else entry[1]++;
        });
        expect(drained(counts)).toEqual([...expected.values()]);
      }),
    );
  });

  it('grows past its first table without losing a count', () => {
    const counts = new FeatureCounts();
    for (let round = 0; round < 2; round++) {
      for (let i = 1; i <= 200_000; i++) counts.add(Math.imul(i, 0x9e3779b1), i);
    }
    const all = drained(counts);
    expect(all).toHaveLength(200_000);
    expect(
      all.every(([feature, count, weight]) => {
        return count === 2 && feature === Math.imul(weight, 0x9e3779b1) >>> 0;
      }),
    ).toBe(true);
    expect(drained(counts)).toEqual([]);
  });

  it('counts the feature 0 as 1', () => {
    const counts = new FeatureCounts();
    counts.add(0, 1);
    counts.add(1, 1);
    expect(drained(counts)).toEqual([[1, 2, 1]]);
  });
});
