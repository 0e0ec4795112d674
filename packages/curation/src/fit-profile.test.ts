import { describe, expect, it } from 'bun:test';
import type { ScoreReport } from '@kp/scoring';
import { fitProfile } from './fit-profile.ts';

const NAMES = ['complexity', 'novelty', 'toolDiversity', 'outcomeConfidence'];
const WEIGHTS = { complexity: 0, novelty: 1, toolDiversity: 0, outcomeConfidence: 0 };

/** A report of complexity and novelty, by whose weights novelty alone counts. */
function reportOf(complexity: number, novelty: number): ScoreReport {
  const dimensions = { complexity, novelty, toolDiversity: 0, outcomeConfidence: 0 };
  return { dimensions, weights: WEIGHTS, composite: novelty } as unknown as ScoreReport;
}

/** Complexity is what was rated, novelty goes the other way. */
const opposed = (count: number): ScoreReport[] =>
  Array.from({ length: count }, (_, run) => reportOf(run / count, 1 - run / count));
const risen = (count: number): number[] => Array.from({ length: count }, (_, run) => run);
const groupsOf = (count: number): string[] => risen(count).map((run) => `t${run}`);

describe('fitProfile', () => {
  it.each([
    // tasks, splits: half as many as tasks, ten at most
    [4, 2],
    [5, 2],
    [6, 3],
    [20, 10],
    [30, 10],
  ])('of %p tasks, in %p splits, turns an order that was wrong', (tasks, splits) => {
    const fit = fitProfile(opposed(tasks), risen(tasks), { groups: groupsOf(tasks) });
    expect(fit).toEqual({
      weights: fit.fitted,
      fitted: { complexity: 1, novelty: 0, toolDiversity: 0, outcomeConfidence: 0 },
      agreement: { before: 0, fitted: 1 },
      gain: { value: 1, low: 1, high: 1 },
      better: true,
      rated: tasks,
      tasks,
      splits,
    });
    expect(Object.keys(fit.fitted)).toEqual(NAMES);
  });

  it('counts the runs that are rated, and their tasks', () => {
    const ratings = [...risen(6), undefined, undefined];
    const groups = ['a', 'a', 'b', 'b', 'c', 'd', 'e', 'f'];
    const fit = fitProfile(opposed(8), ratings, { groups });
    expect(fit).toMatchObject({ rated: 6, tasks: 4, splits: 2, better: true });
  });

  it('keeps the weights where the fitted ones are as good', () => {
    const reports = risen(8).map((run) => reportOf(run / 8, run / 8));
    const fit = fitProfile(reports, risen(8), { groups: groupsOf(8) });
    expect(fit).toMatchObject({
      weights: WEIGHTS,
      fitted: { complexity: 0.5, novelty: 0.5 },
      agreement: { before: 1, fitted: 1 },
      gain: { value: 0, low: 0, high: 0 },
      better: false,
    });
  });

  it('counts pairs of held-out tasks by hand, ties half', () => {
    // Splits by turns: a, c and e; b, d and f. Novelty orders c before a, and ties b and d.
    const novelty = [0.5, 0.4, 0.3, 0.4, 0.9, 0.8];
    const reports = risen(6).map((run) => reportOf(run / 6, novelty[run]));
    const groups = ['a', 'b', 'c', 'd', 'e', 'f'];
    const { agreement, gain, splits } = fitProfile(reports, risen(6), { groups });
    // Three splits, of two runs each: a–d wrong, b–e right, c–f right.
    expect(splits).toBe(3);
    expect(agreement).toEqual({ before: 2 / 3, fitted: 1 });
    expect(gain.value).toBeCloseTo(1 / 3, 12);
    expect([gain.low, gain.high]).toEqual([0, 1]);
    const tied = risen(6).map((run) => reportOf(run / 6, 0.5));
    expect(fitProfile(tied, risen(6), { groups }).agreement).toEqual({ before: 0.5, fitted: 1 });
  });

  // Each lies on a side of the interval's ends, where one resampling more or less moves them.
  it.each([
    [
      [7, 1, 8, 4, 7, 0, 3, 5, 4, 10],
      [29, 66],
    ],
    [
      [7, 3, 0, 3, 5, 1, 1, 2, 6, 6],
      [20, 48],
    ],
  ])('draws ten splits a thousand times, the same everywhere: %j', (wrong, [low, high]) => {
    // Twelve runs a split, of two tasks, which is 66 pairs; the first comes behind so many others.
    const runs = wrong.flatMap((behind, split) =>
      risen(12).map((rank) => ({
        report: { ...reportOf(rank / 12, 0), composite: rank === 0 ? behind + 0.5 : rank },
        rank,
        group: 'abcdefghijklmnopqrst'[split + 10 * (rank % 2)],
      })),
    );
    const { gain, splits } = fitProfile(
      runs.map(({ report }) => report as ScoreReport),
      runs.map(({ rank }) => rank),
      { groups: runs.map(({ group }) => group) },
    );
    expect(splits).toBe(10);
    const sum = wrong.reduce((total, each) => total + each, 0);
    for (const [end, pairs] of [
      [gain.value, sum],
      [gain.low, low],
      [gain.high, high],
    ] as const) {
      expect(end).toBeCloseTo((pairs as number) / 660, 12);
    }
  });

  it('gives four decimals that sum to 1, the greatest taking the rest', () => {
    const dimensions = (values: number[]) =>
      Object.fromEntries(NAMES.map((name, at) => [name, values[at] ?? 0]));
    const reports = risen(8).map((run) => {
      const value = run / 8;
      return { ...reportOf(0, 0), dimensions: dimensions([value, value, value]) } as ScoreReport;
    });
    const { fitted } = fitProfile(reports, risen(8), { groups: groupsOf(8) });
    expect(Object.values<number>(fitted).sort()).toEqual([0, 0.3333, 0.3333, 0.3334]);
  });

  it('needs four rated tasks, and one entry a run', () => {
    const [reports, ratings] = [opposed(4), risen(4)];
    expect(() => fitProfile(reports, ratings, { groups: ['a', 'b', 'c', 'c'] })).toThrow(
      'ratings: expected runs of at least 4 tasks, received 3',
    );
    expect(() => fitProfile(reports, [1, 2], { groups: groupsOf(4) })).toThrow(
      'ratings: expected 4 entries, one a run, received 2',
    );
    expect(() => fitProfile(reports, ratings, { groups: ['a'] })).toThrow(
      'groups: expected 4 entries, one a run, received 1',
    );
    expect(() => fitProfile([], [], { groups: [] })).toThrow(
      'runs of at least 4 tasks, received 0',
    );
    expect(() => fitProfile(reports, [2, 2, 2, undefined], { groups: groupsOf(4) })).toThrow(
      'received 3',
    );
    const alike = opposed(5);
    expect(() => fitProfile(alike, [2, 2, 2, 2, 2], { groups: groupsOf(5) })).toThrow(
      'ratings: expected at least two different ones, received 2',
    );
  });
});
