import { describe, expect, it } from 'bun:test';
import fc from 'fast-check';
import type { RowResult } from './attempt.ts';
import type { LatencyRow } from './latency-row.ts';
import { isSettled, judge, loadOf, MOST_ATTEMPTS } from './verdict.ts';

const row: LatencyRow = {
  part: 'a part',
  unit: 'nanoseconds',
  documented: 1000,
  enforced: { atMost: 1000, ratio: 2 },
  reference: 'objects',
  reason: 'for this test',
};
const result = (value: number, ratio: number): RowResult => ({ id: 'rules', value, ratio });

describe('loadOf', () => {
  it('is the nearer of the two limits', () => {
    expect(loadOf(result(500, 1.5), row)).toBe(0.75);
    expect(loadOf(result(900, 1.5), row)).toBe(0.9);
  });

  it('ignores a limit that the row does not have', () => {
    const { documented: _, ...rest } = row;
    expect(loadOf(result(1e9, 1), { ...rest, enforced: { ratio: 2 } })).toBe(0.5);
    expect(loadOf(result(10, 1e9), { ...rest, enforced: { atMost: 100 } })).toBe(0.1);
  });
});

describe('isSettled', () => {
  it.each([
    [[], false],
    [[0.5], true],
    [[0.9], false],
    [[1.5], false],
    [[0.9, 1.5], false],
    [[0.9, 1.5, 0.99], true],
    [[1.5, 1.5, 1.5], false],
    [[1.5, 1.5, 1.5, 1.5], true],
    [[1.5, 1.5, 1.5, 0.9], false],
    [[1.5, 1.5, 1.5, 0.9, 0.9], true],
  ])('given %j is %p', (loads, settled) => {
    expect(isSettled(loads)).toBe(settled);
  });

  it('is reached with the last attempt at the latest', () => {
    const loads = fc.array(fc.double({ min: 0.01, max: 5, noNaN: true }), {
      minLength: MOST_ATTEMPTS,
      maxLength: MOST_ATTEMPTS,
    });
    fc.assert(fc.property(loads, isSettled));
  });
});

describe('judge', () => {
  const verdictOf = (...ratios: number[]) =>
    judge(
      'rules',
      row,
      ratios.map((ratio) => result(ratio * 100, ratio)),
    );

  it('shows the limit on this machine: twice the reference, which is 100 ns here', () => {
    expect(verdictOf(1)).toEqual({
      id: 'rules',
      verdict: 'within',
      value: 100,
      limit: 200,
      headroom: 0.5,
      attempts: 1,
    });
  });

  it('is over when four of five processes say so', () => {
    expect(verdictOf(3, 3, 3, 1.9, 3).verdict).toBe('over');
    expect(verdictOf(3, 3, 3, 3).verdict).toBe('over');
    expect(verdictOf(3, 3, 1.9, 3, 1.9).verdict).toBe('within');
  });

  it('is over at once for a single attempt over the limit', () => {
    expect(verdictOf(2.1).verdict).toBe('over');
  });

  it('is never within for a row that was not measured', () => {
    const missing: RowResult = { id: 'rules', notMeasured: 'no model' };
    expect(judge('rules', row, [missing])).toEqual({
      id: 'rules',
      verdict: 'not measured',
      attempts: 1,
      reason: 'no model',
    });
    expect(judge('rules', row, []).verdict).toBe('not measured');
  });
});
