import { describe, expect, it } from 'bun:test';
import type { MeasureRows } from './attempt.ts';
import { check } from './check.ts';
import { LATENCY_TABLE, type RowId } from './latency-table.ts';

/** Answers the loads it is given, one an attempt, as ratios; counts the attempts. */
function measureWith(loads: Partial<Record<RowId, readonly number[]>>): {
  readonly measure: MeasureRows;
  readonly asked: RowId[][];
} {
  const asked: RowId[][] = [];
  const measure: MeasureRows = async (ids) => {
    asked.push([...ids]);
    return ids.map((id) => {
      const attempt = asked.filter((each) => each.includes(id)).length - 1;
      const load = loads[id]?.[attempt];
      if (load === undefined) return { id, notMeasured: 'no model' };
      const ratio = load * (LATENCY_TABLE[id].enforced.ratio ?? Number.NaN);
      return { id, value: 1, ratio };
    });
  };
  return { measure, asked };
}

describe('check', () => {
  it('measures again only what one attempt did not settle', async () => {
    const { measure, asked } = measureWith({
      complexity: [0.5],
      rules: [0.9, 0.9],
      add: [3, 3, 3, 3],
    });
    const verdicts = await check(['complexity', 'rules', 'add', 'evaluation-static'], measure);
    expect(verdicts.map(({ id, verdict, attempts }) => [id, verdict, attempts])).toEqual([
      ['complexity', 'within', 1],
      ['rules', 'within', 2],
      ['add', 'over', 4],
      ['evaluation-static', 'not measured', 1],
    ]);
    expect(asked).toEqual([
      ['complexity', 'rules', 'add', 'evaluation-static'],
      ['rules', 'add'],
      ['add'],
      ['add'],
    ]);
  });

  it('forgives a process that went badly, and one that went well', async () => {
    const once = measureWith({ rules: [3, 0.7, 0.7] });
    expect((await check(['rules'], once.measure))[0]?.verdict).toBe('within');
    const lucky = measureWith({ rules: [3, 3, 0.7, 3, 3] });
    expect((await check(['rules'], lucky.measure))[0]?.verdict).toBe('over');
  });
});
