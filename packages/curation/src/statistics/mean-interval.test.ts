import { describe, expect, it } from 'bun:test';
import { seededIntegers } from '@kp/foundation';
import { meanInterval, studentQuantile } from './mean-interval.ts';

describe('studentQuantile', () => {
  // Fisher and Yates, Statistical Tables, 1938, table III, probability 0.05.
  it.each([
    [5, 2.571],
    [6, 2.447],
    [8, 2.306],
    [10, 2.228],
    [15, 2.131],
    [20, 2.086],
    [30, 2.042],
    [60, 2.0],
    [120, 1.98],
  ])('for %d degrees of freedom is %d, as in the table', (degrees, expected) => {
    expect(Math.abs(studentQuantile(degrees) - expected)).toBeLessThan(0.0008);
  });
});

describe('meanInterval', () => {
  it('is 3.5 ± 2.571 · 1.871 / √6 for the numbers 1 to 6', () => {
    const interval = meanInterval([1, 2, 3, 4, 5, 6]);
    expect(interval?.low).toBeCloseTo(3.5 - 1.963, 3);
    expect(interval?.high).toBeCloseTo(3.5 + 1.963, 3);
  });

  it('is null for fewer than 6 values, and has no width if all are equal', () => {
    expect(meanInterval([1, 1, 1, 1, 1])).toBeNull();
    expect(meanInterval([1, 1, 1, 1, 1, 1])).toEqual({ low: 1, high: 1 });
  });

  const next = seededIntegers(7);
  const uniform = () => (next(2 ** 30) + 0.5) / 2 ** 30;
  const normal = () => Math.sqrt(-2 * Math.log(uniform())) * Math.cos(2 * Math.PI * uniform());
  // Most tasks end alike; on a few, only one of the two agents succeeds.
  const rare = () => [0, 0, 0, 0, 1, -1][next(6)] as number;

  it.each([
    ['normal', normal, 0.04, 0.06],
    ['uniform', () => uniform() - 0.5, 0.04, 0.065],
    ['rare', rare, 0, 0.06],
  ])(
    'excludes the true mean of %s values in about 5 %% of samples at most',
    (_, draw, least, most) => {
      const samples = 4000;
      for (const size of [6, 8, 12, 30]) {
        let excluded = 0;
        for (let sample = 0; sample < samples; sample++) {
          const interval = meanInterval(Array.from({ length: size }, draw));
          if (interval !== null && (interval.low > 0 || interval.high < 0)) excluded++;
        }
        expect(excluded / samples).toBeGreaterThanOrEqual(least);
        expect(excluded / samples).toBeLessThanOrEqual(most);
      }
    },
  );
});
