import { describe, expect, it } from 'bun:test';
import fc from 'fast-check';
import { exampleTrace } from '../test/example-trace.ts';
import { isTraceFast } from './fast-check.ts';
import type { TraceLimits } from './limits.ts';

/** A trace whose first step has this input. */
function traceWith(input: unknown): object {
  const trace = exampleTrace();
  return { ...trace, steps: [{ step_id: 1, type: 'tool_call', input: { input } }] };
}

/** Whether a trace is accepted, with its JSON text and without. */
function answers(trace: object, limits: Partial<TraceLimits>): readonly boolean[] {
  const json = JSON.stringify(trace);
  const parsed = JSON.parse(json);
  return [isTraceFast(parsed, limits), isTraceFast(parsed, limits, json)];
}

describe('isTraceFast', () => {
  it('finds each exceeded limit, with the JSON text of the trace and without', () => {
    const deep = JSON.parse(`${'['.repeat(70)}${']'.repeat(70)}`);
    const long = 'long '.repeat(100);
    expect(answers(traceWith('short'), {})).toEqual([true, true]);
    expect(answers(traceWith(deep), {})).toEqual([false, false]);
    expect(answers(traceWith(long), { maxTextLength: 400 })).toEqual([false, false]);
    expect(answers(traceWith(long), { maxTotalTextLength: 400 })).toEqual([false, false]);
    expect(answers(traceWith([1, 2, 3, 4]), { maxValues: 20 })).toEqual([false, false]);
    expect(answers(exampleTrace(), { maxSteps: 1 })).toEqual([false, false]);
  });

  it('says the same with the JSON text of any trace', () => {
    const limit = (max: number) => fc.option(fc.integer({ min: 1, max }), { nil: undefined });
    const limits = fc.record({
      maxSteps: limit(20),
      maxDepth: limit(30),
      maxTextLength: limit(1000),
      maxTotalTextLength: limit(2000),
      maxValues: limit(200),
    });
    fc.assert(
      fc.property(fc.jsonValue({ maxDepth: 12 }), limits, (input, given) => {
        const [without, withText] = answers(traceWith(input), given);
        expect(withText).toBe(without);
      }),
      { numRuns: 2000 },
    );
  });
});
