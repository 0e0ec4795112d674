import { describe, expect, it } from 'bun:test';
import fc from 'fast-check';
import { CurationInputError } from '../corpus/errors.ts';
import { type ComparedRun, compareTasks } from './compare-tasks.ts';

type Score = readonly [task: string, score: number | null, success?: boolean | null];

function setOf(scores: readonly Score[]): ComparedRun[] {
  return scores.map(([task, score, success = null]) => {
    return { task, objective: `do ${task}`, success, score };
  });
}

const compareSets = (base: readonly ComparedRun[], next: readonly ComparedRun[]) => {
  const keys = [...base, ...next].map(({ task }) => task ?? '');
  return compareTasks(base, next, { keys, undecided: [] });
};

describe('compareTasks', () => {
  it('compares the mean of each task: 0.6 with (0.5 + 0.9) / 2, 0.5 with 0.4', () => {
    const base = setOf([
      ['a', 0.6, true],
      ['b', 0.5, false],
      ['c', 0.3],
      ['gone', 0.9],
      ['gone', 0.9],
    ]);
    const next = setOf([
      ['c', 0.3],
      ['a', 0.5, false],
      ['a', 0.9, true],
      ['b', 0.4, true],
      ['new', 0.1],
    ]);
    const compared = compareSets(base, next);
    expect(compared.tasks.map(({ task, result }) => `${task} ${result}`)).toEqual([
      'b loss',
      'c tie',
      'a win',
    ]);
    expect(compared.tasks[2]).toMatchObject({
      base: { runs: 1, score: 0.6, passed: 1 },
      new: { runs: 2, passed: 0.5 },
    });
    expect(compared.tasks[2]?.difference).toBeCloseTo(0.1, 12);
    expect(compared).toMatchObject({ wins: 1, losses: 1, ties: 1 });
    expect(compared.meanDifference).toBeCloseTo(0, 12);
    expect(compared.passed).toEqual({ tasks: 2, base: 0.5, new: 0.75 });
    expect(compared.unmatched).toEqual({
      base: { runs: 2, tasks: 1, first: ['gone'] },
      new: { runs: 1, tasks: 1, first: ['new'] },
    });
  });

  it('counts crashed runs as failed with score 0, and a task with only crashed new runs as missing too', () => {
    const base = setOf([
      ['a', 0.6, true],
      ['b', 0.5, true],
      ['c', 0.4, true],
    ]);
    const next = setOf([
      ['a', 0.7, true],
      ['a', null, false],
      ['b', null, false],
    ]);
    const compared = compareSets(base, next);
    expect(compared).toMatchObject({ wins: 0, losses: 2 });
    expect(compared.tasks.map(({ task, new: { score } }) => [task, score])).toEqual([
      ['b', 0],
      ['a', 0.35],
    ]);
    expect(compared.meanDifference).toBeCloseTo((0.35 - 0.6 - 0.5) / 2, 12);
    expect(compared.tasks[1]?.new).toMatchObject({
      ...{ runs: 2, crashed: 1, verdicts: 2, passed: 0.5 },
    });
    expect(compared.passed).toEqual({ tasks: 2, base: 1, new: 0.25 });
    expect(compared.sets.new).toEqual({ runs: 3, crashed: 2, verdicts: 3, passRate: 1 / 3 });
    expect(compared.missing.map(({ task, reason }) => [task, reason])).toEqual([
      ['b', 'crashed'],
      ['c', 'absent'],
    ]);
    const back = compareSets(next, base);
    expect(back.missing).toEqual([]);
    expect(back).toMatchObject({ wins: 2, losses: 0 });
  });

  it('has no mean without a task, and no interval for too few', () => {
    expect(compareSets(setOf([['a', 1]]), setOf([['b', 1]]))).toMatchObject({
      tasks: [],
      meanDifference: null,
      interval: null,
      passed: null,
    });
    expect(compareSets(setOf([['a', 1]]), setOf([['a', 1]])).interval).toBeNull();
  });

  it('derives the interval from the tasks, not from their runs: 0 ± 2.571 · 0.2 · √(6/5) / √6', () => {
    const changes = [0.2, -0.2, 0.2, -0.2, 0.2, -0.2];
    const scores = (change: number) =>
      changes.map((each, task): Score => [`${task}`, 0.5 + each * change]);
    const twice = [...setOf(scores(1)), ...setOf(scores(1))];
    const { interval } = compareSets(setOf(scores(0)), twice);
    expect(interval?.high).toBeCloseTo(2.571 * 0.2 * Math.sqrt(1 / 5), 3);
    expect(interval?.low).toBeCloseTo(-(interval?.high ?? 0), 12);
    expect(compareSets(setOf(scores(0).slice(1)), twice).interval).toBeNull();
  });

  it('is antisymmetric and deterministic, and keeps the mean within the interval', () => {
    const share = fc.double({ min: 0, max: 1, noNaN: true });
    fc.assert(
      fc.property(fc.array(fc.tuple(share, share), { minLength: 6, maxLength: 12 }), (pairs) => {
        const base = setOf(pairs.map(([score], task) => [`${task}`, score]));
        const next = setOf(pairs.map(([, score], task) => [`${task}`, score]));
        const there = compareSets(base, next);
        const back = compareSets(next, base);
        expect(compareSets(base, next)).toEqual(there);
        expect(back).toMatchObject({ wins: there.losses, losses: there.wins, ties: there.ties });
        const mean = there.meanDifference ?? Number.NaN;
        expect(back.meanDifference).toBeCloseTo(-mean, 12);
        expect(there.interval?.low).toBeLessThanOrEqual(mean + 1e-12);
        expect(there.interval?.high).toBeGreaterThanOrEqual(mean - 1e-12);
      }),
      { numRuns: 30 },
    );
  });

  it('rejects keys of other runs', () => {
    const one = setOf([['a', 1]]);
    const identity = { keys: ['a'], undecided: [] };
    expect(() => compareTasks(one, one, identity)).toThrow(CurationInputError);
  });
});
