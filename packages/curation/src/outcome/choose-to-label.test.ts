import { describe, expect, it } from 'bun:test';
import { traceOf } from '../../test/traces.ts';
import { chooseToLabel, type UnlabelledRun } from './choose-to-label.ts';
import { outcomeFeatures } from './outcome-features.ts';

const plain = outcomeFeatures(traceOf('Do it', [{ type: 'thought', content: 'Hm' }]));

/** A run with the given value of one feature; all other features are equal. */
const run = (id: string, task: string, steps: number, isLabelled = false): UnlabelledRun => ({
  id,
  task,
  features: { ...plain, steps },
  isLabelled,
});

describe('chooseToLabel', () => {
  it('chooses the most informative runs first, one per task', () => {
    const runs = [run('a', '1', 0), run('b', '1', 9), run('c', '2', 4.4), run('d', '2', 0)];
    const chosen = chooseToLabel(runs, 4);
    expect(new Set(chosen.slice(0, 2).map((at) => runs[at].task)).size).toBe(2);
    // The extremes determine the slope; the run in the middle says least about it.
    expect(chosen[0]).toBe(1);
    expect(chosen[1]).toBe(3);
    expect(chosen.toSorted()).toEqual([0, 1, 2, 3]);
  });

  it('never chooses labelled runs, and chooses other runs of their tasks last', () => {
    const runs = [run('a', '1', 0, true), run('b', '1', 9), run('c', '2', 4)];
    expect(chooseToLabel(runs, 5)).toEqual([2, 1]);
  });

  it('does not depend on the order of the runs', () => {
    const runs = Array.from({ length: 30 }, (_, at) => run(`r${at}`, `t${at % 7}`, (at * 13) % 11));
    const names = (of: readonly UnlabelledRun[]) => chooseToLabel(of, 12).map((at) => of[at].id);
    expect(names(runs.toReversed())).toEqual(names(runs));
  });

  it('chooses nothing without runs, and rejects an invalid count', () => {
    expect(chooseToLabel([], 3)).toEqual([]);
    expect(() => chooseToLabel([], 0)).toThrow('count: expected an integer of at least 1');
  });
});
