import { describe, expect, it } from 'bun:test';
import { seededIntegers } from '@kp/foundation';
import {
  areaUnderCurve,
  areaWithInterval,
  areaWithinGroups,
  forEachPair,
  kendallTau,
  middle,
  overlapOfTop,
} from './rank-statistics.ts';

describe('areaUnderCurve', () => {
  it('is the share of pairs with a greater success, where a tie counts half', () => {
    // Successes 3 and 1 against failures 2 and 1: 3 > 2, 3 > 1, 1 < 2, 1 = 1.
    expect(areaUnderCurve([3, 1, 2, 1], [true, true, false, false])).toBe(2.5 / 4);
    expect(areaUnderCurve([2, 1], [false, true])).toBe(0);
    expect(areaUnderCurve([2, 1], [false, false])).toBeNaN();
    expect(areaUnderCurve([], [])).toBeNaN();
    // Every value counts once, even NaN, which is not equal to itself.
    expect(areaUnderCurve([Number.NaN, 1, 2], [false, false, true])).toBeFinite();
  });
});

describe('areaWithinGroups', () => {
  it('compares only runs of the same group', () => {
    // In a: 2 against 1, and 2 against 3. In b: 9 against 9. In c no failure.
    const groups = ['a', 'a', 'a', 'b', 'b', 'c'];
    const outcomes = [true, false, false, true, false, true];
    const area = areaWithinGroups([2, 1, 3, 9, 9, 0], outcomes, groups);
    expect(area).toEqual({ value: 1.5 / 3, low: 0.5, high: 0.5 });
    expect(areaWithinGroups([1, 2], [true, false], ['a', 'b'])).toBeUndefined();
  });

  it('has an interval from 0 to 1 if one of two groups is reversed', () => {
    const groups = ['a', 'a', 'b', 'b'];
    const area = areaWithinGroups([2, 1, 1, 2], [true, false, true, false], groups);
    expect(area).toEqual({ value: 0.5, low: 0, high: 1 });
  });
});

describe('middle', () => {
  it('is the 2.5th and 97.5th percentile of sorted values', () => {
    const values = Array.from({ length: 1_001 }, (_, at) => (at * 5) % 1_001);
    expect(middle(values)).toEqual({ low: 25, high: 975 });
    expect(middle([4])).toEqual({ low: 4, high: 4 });
    expect(middle([])).toEqual({ low: Number.NaN, high: Number.NaN });
  });
});

describe('areaWithInterval', () => {
  it('resamples whole groups', () => {
    // In each group the success is above the failure, so any sample of groups gives 1.
    const groups = ['a', 'a', 'b', 'b'];
    const outcomes = [true, false, true, false];
    expect(areaWithInterval([2, 1, 4, 3], outcomes, groups)).toEqual({
      value: 0.75,
      low: 0.75,
      high: 1,
    });
    // One of the two groups has only successes, so half of the samples have no pair and are
    // skipped.
    expect(areaWithInterval([3, 4, 1, 2], [true, true, false, false], groups)).toEqual({
      value: 1,
      low: 1,
      high: 1,
    });
  });

  it('approximates the normal interval', () => {
    const next = seededIntegers(3);
    const values = Array.from({ length: 400 }, () => next(1_000_000));
    const outcomes = values.map((value) => value + next(1_000_000) > 1_000_000);
    const groups = values.map((_, run) => `t${run}`);
    const { value, low, high } = areaWithInterval(values, outcomes, groups);
    // Hanley and McNeil 1982 derive the standard error from the area alone.
    const [q1, q2] = [value / (2 - value), (2 * value ** 2) / (1 + value)];
    const successes = outcomes.filter(Boolean).length;
    const failures = outcomes.length - successes;
    const variance =
      (value * (1 - value) +
        (successes - 1) * (q1 - value ** 2) +
        (failures - 1) * (q2 - value ** 2)) /
      (successes * failures);
    const width = 1.96 * Math.sqrt(variance);
    expect(Math.abs(value - low - width)).toBeLessThan(0.012);
    expect(Math.abs(high - value - width)).toBeLessThan(0.012);
    // The samples are the same on every platform and in every release.
    expect([low, high].map((end) => end.toFixed(9))).toEqual(['0.813906391', '0.886278924']);
  });
});

describe('kendallTau', () => {
  it('is the share of concordant pairs minus that of discordant pairs', () => {
    expect(kendallTau([1, 2, 3], [1, 3, 2])).toBeCloseTo(1 / 3, 12);
    expect(kendallTau([1, 2, 3], [3, 2, 1])).toBe(-1);
  });

  it('ignores pairs tied in either ranking', () => {
    expect(kendallTau([1, 1, 2], [1, 2, 3])).toBe(1);
    expect(kendallTau([1, 2, 3], [1, 1, 0])).toBe(-1);
    expect(kendallTau([1, 1], [1, 2])).toBe(1);
    expect(kendallTau([], [])).toBe(1);
  });

  it('is estimated from 200,000 pairs for many runs', () => {
    // The first third is in reverse order, so one in nine of all pairs is reversed.
    const values = Array.from({ length: 1_500 }, (_, at) => at);
    const turned = values.map((at) => (at < 500 ? -at : at));
    expect(kendallTau(values, turned)).toBeWithin(7 / 9 - 0.01, 7 / 9 + 0.01);
    let pairs = 0;
    forEachPair(632, () => pairs++);
    expect(pairs).toBe((632 * 631) / 2);
    pairs = 0;
    forEachPair(633, () => pairs++);
    expect(pairs).toBe(200_000);
  });
});

describe('overlapOfTop', () => {
  it.each([
    [[3, 2, 1], [3, 1, 2], 2, 0.5],
    [[9, 8, 1, 2], [1, 2, 9, 8], 2, 0],
    // Among equal values, the first ones rank highest.
    [[1, 1, 1], [0, 1, 1], 1, 0],
    [[1, 1, 1], [1, 1, 0], 2, 1],
    [[1, 2], [2, 1], 10, 1],
  ])('of %j and %j for the top %p is %p', (a, b, k, overlap) => {
    expect(overlapOfTop(a, b, k)).toBe(overlap);
  });
});
