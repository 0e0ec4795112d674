import { describe, expect, it } from 'bun:test';
import type { ReasoningTrace } from '@kp/schema';
import fc from 'fast-check';
import { matchTrajectory, type TrajectoryMatchOptions } from './trajectory-match.ts';

type Trace = Pick<ReasoningTrace, 'steps'>;

/** Creates a run from batches of calls such as `weather:Oslo`. A result follows each batch. */
function run(...batches: readonly (readonly string[])[]): Trace {
  const steps = batches.flatMap((batch) => [
    ...batch.map((call) => {
      const [name = '', city = ''] = call.split(':');
      return { type: 'tool_call' as const, tool: { name }, input: { city } };
    }),
    { type: 'observation' as const, content: 'so' },
  ]);
  return { steps: steps.map((step, step_id) => ({ step_id, ...step })) };
}

const MODES = ['strict', 'unordered', 'subset', 'superset'] as const;

describe('matchTrajectory', () => {
  it.each<[string, Trace, Trace, Record<(typeof MODES)[number], boolean>]>([
    [
      'the same calls',
      run(['a:1'], ['b:2']),
      run(['a:1'], ['b:2']),
      { strict: true, unordered: true, subset: true, superset: true },
    ],
    [
      'another order',
      run(['b:2'], ['a:1']),
      run(['a:1'], ['b:2']),
      { strict: false, unordered: true, subset: true, superset: true },
    ],
    [
      'parallel calls in another order',
      run(['b:2', 'a:1']),
      run(['a:1', 'b:2']),
      { strict: true, unordered: true, subset: true, superset: true },
    ],
    [
      'parallel calls instead of consecutive ones',
      run(['a:1', 'b:2']),
      run(['a:1'], ['b:2']),
      { strict: false, unordered: true, subset: true, superset: true },
    ],
    [
      'a call less',
      run(['a:1']),
      run(['a:1'], ['b:2']),
      { strict: false, unordered: false, subset: true, superset: false },
    ],
    [
      'a call more',
      run(['a:1'], ['b:2'], ['c:3']),
      run(['a:1'], ['b:2']),
      { strict: false, unordered: false, subset: false, superset: true },
    ],
    [
      'other arguments',
      run(['a:2']),
      run(['a:1']),
      { strict: false, unordered: false, subset: false, superset: false },
    ],
    [
      'a call twice instead of once',
      run(['a:1'], ['a:1']),
      run(['a:1']),
      { strict: false, unordered: false, subset: false, superset: true },
    ],
    ['no calls', run(), run(), { strict: true, unordered: true, subset: true, superset: true }],
  ])('compares %s in each mode', (_, trace, reference, expected) => {
    const judged = MODES.map((mode) => [mode, matchTrajectory(trace, reference, { mode }).matches]);
    expect(Object.fromEntries(judged)).toEqual(expected);
  });

  it('gives partial credit and lists missing and extra calls', () => {
    const match = matchTrajectory(run(['a:1'], ['x:9']), run(['a:1'], ['b:2'], ['c:3']));
    expect(match).toMatchObject({
      precision: 1 / 2,
      recall: 1 / 3,
      missing: [{ tool: 'b' }, { tool: 'c' }],
      extra: [{ tool: 'x', input: { city: '9' } }],
    });
    expect(match.f1).toBeCloseTo(0.4, 12);
  });

  it('counts only calls in order in the mode strict', () => {
    const [trace, reference] = [run(['b:2'], ['a:1'], ['c:3']), run(['a:1'], ['b:2'], ['c:3'])];
    expect(matchTrajectory(trace, reference).f1).toBeCloseTo(2 / 3, 12);
    expect(matchTrajectory(trace, reference, { mode: 'unordered' }).f1).toBe(1);
  });

  it('compares arguments with a function and pairs as many calls as possible', () => {
    const sameInput: TrajectoryMatchOptions['sameInput'] = (called, expected) =>
      expected.input.city === '*' || called.input.city === expected.input.city;
    const match = matchTrajectory(run(['a:1', 'a:2']), run(['a:*', 'a:1']), { sameInput });
    expect([match.matches, match.f1]).toEqual([true, 1]);
  });

  it('ignores the order of argument keys', () => {
    const call = (input: Record<string, unknown>): Trace => ({
      steps: [{ step_id: 0, type: 'tool_call', tool: { name: 'a' }, input }],
    });
    expect(
      matchTrajectory(call({ x: 1, y: { b: 1, a: 2 } }), call({ y: { a: 2, b: 1 }, x: 1 })),
    ).toMatchObject({
      matches: true,
    });
  });

  it('swaps precision and recall when the runs are swapped', () => {
    const call = fc.constantFrom('a:1', 'a:2', 'b:1', 'c:1');
    const runs = fc.array(fc.array(call, { minLength: 1, maxLength: 3 }), { maxLength: 4 });
    fc.assert(
      fc.property(runs, runs, fc.constantFrom(...MODES), (one, other, mode) => {
        const there = matchTrajectory(run(...one), run(...other), { mode });
        const back = matchTrajectory(run(...other), run(...one), { mode });
        expect([there.precision, there.recall]).toEqual([back.recall, back.precision]);
        expect(matchTrajectory(run(...one), run(...one), { mode })).toMatchObject({
          matches: true,
          f1: 1,
        });
      }),
    );
  });
});
