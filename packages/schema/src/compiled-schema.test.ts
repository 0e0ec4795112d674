import { describe, expect, it } from 'bun:test';
import fc from 'fast-check';
import * as z from 'zod';
import { changeAt, pathsOf } from '../test/change-at.ts';
import { exampleTrace } from '../test/example-trace.ts';
import { compileSchema, isSurelyTrace } from './compiled-schema.ts';
import { safeParseTrace } from './parse.ts';
import { ReasoningTraceSchema } from './reasoning-trace.ts';

const compiled = compileSchema();

describe('the compiled schema', () => {
  it('is there where code may be generated', () => {
    expect(compiled?.validate(exampleTrace())).toBe(true);
  });

  it('accepts exactly what the schema accepts, whatever two fields are changed', () => {
    const paths = fc.constantFrom(...pathsOf(exampleTrace()));
    const value = fc.oneof(
      fc.anything({
        withDate: true,
        withMap: true,
        withNullPrototype: true,
        withSparseArray: true,
      }),
      fc.constantFrom(
        undefined,
        null,
        '',
        0,
        -0,
        -1,
        0.5,
        1,
        1.5,
        2 ** 53,
        Number.NaN,
        Number.POSITIVE_INFINITY,
        [],
        {},
        [undefined],
        true,
        10n,
        Symbol.iterator,
        () => 1,
        'thought',
        'error_recovery',
        'ReasoningTrace',
        'kp:trace:',
        'kp:trace:\n',
        'org',
        '2026-01-15T10:00:00Z',
        '2026-02-30T10:00:00Z',
        '2026-01-15T10:00+02:00',
        '2026-01-15',
        'https://knowledgepulse.dev/schema/v1',
        new Date(0),
        new Map(),
        Object.create({ name: 'a' }),
      ),
    );
    let accepted = 0;
    fc.assert(
      fc.property(fc.array(fc.tuple(paths, value), { maxLength: 2 }), (changes) => {
        const trace = exampleTrace();
        for (const [path, replacement] of changes) {
          try {
            changeAt(trace, path, replacement);
          } catch (error) {
            // The first change took away what the second is in.
            if (!(error instanceof TypeError)) throw error;
          }
        }
        const expected = ReasoningTraceSchema.safeParse(trace).success;
        if (expected) accepted++;
        expect(compiled?.validate(trace)).toBe(expected);
      }),
      { numRuns: 5000 },
    );
    // Both answers must come up often, or this shows little.
    expect(accepted).toBeGreaterThan(500);
    expect(accepted).toBeLessThan(4500);
  });

  it('is left alone where zod may not generate code', () => {
    z.config({ jitless: true });
    try {
      expect(compileSchema()).toBeUndefined();
    } finally {
      z.config({ jitless: false });
    }
  });
});

describe('isSurelyTrace', () => {
  it('says nothing at first, and in the end only of what is a trace', () => {
    const trace = exampleTrace();
    for (let index = 0; index < 1000; index++) isSurelyTrace(trace);
    expect([isSurelyTrace(trace), isSurelyTrace({ ...trace, steps: [] })]).toEqual([true, false]);
  });

  it('leaves the result of a validation as it was: the value itself, and every problem', () => {
    const trace = exampleTrace();
    expect(safeParseTrace(trace)).toEqual({ success: true, data: trace as never });
    const result = safeParseTrace({ ...trace, id: 'trace', steps: [] });
    expect(!result.success && result.error.issues.map(({ path }) => path)).toEqual(['id', 'steps']);
  });
});
