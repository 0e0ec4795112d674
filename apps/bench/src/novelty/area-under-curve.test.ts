import { describe, expect, it } from 'bun:test';
import fc from 'fast-check';
import { areaUnderCurve } from './area-under-curve.ts';

describe('areaUnderCurve', () => {
  it('is 5 of 6 pairs for 2, 4 over 1, 2, 2 with the ties at half, by hand', () => {
    // 2 beats 1 and ties twice: 2. 4 beats all: 3.
    expect(areaUnderCurve([2, 4], [1, 2, 2])).toBeCloseTo(5 / 6, 12);
  });

  it('is NaN without positives or without negatives', () => {
    expect(areaUnderCurve([], [1])).toBeNaN();
    expect(areaUnderCurve([1], [])).toBeNaN();
  });

  it('agrees with counting every pair', () => {
    const values = fc.array(fc.integer({ min: 0, max: 9 }), { minLength: 1 });
    fc.assert(
      fc.property(values, values, (positives, negatives) => {
        let wins = 0;
        for (const a of positives) for (const b of negatives) wins += a > b ? 1 : a === b ? 0.5 : 0;
        expect(areaUnderCurve(positives, negatives)).toBeCloseTo(
          wins / (positives.length * negatives.length),
          12,
        );
      }),
    );
  });
});
