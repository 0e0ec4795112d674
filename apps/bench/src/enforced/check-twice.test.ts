import { afterEach, expect, it, spyOn } from 'bun:test';
import { checkTwice } from './check-command.ts';
import { LATENCY_TABLE, type RowId } from './latency-table.ts';
import type { MeasureRows } from './measure-rows.ts';

const log = spyOn(console, 'log').mockImplementation(() => undefined);
afterEach(() => void log.mockClear());

/** Returns the given shares of the limits, one per attempt; repeats the last one. */
async function verdictsOf(loads: Partial<Record<RowId, readonly number[]>>) {
  const asked: RowId[] = [];
  const measure: MeasureRows = async (ids) =>
    ids.map((id) => {
      const attempt = asked.filter((each) => each === id).length;
      asked.push(id);
      const load = loads[id]?.[attempt] ?? loads[id]?.at(-1) ?? Number.NaN;
      return { id, value: 1, ratio: load * (LATENCY_TABLE[id].enforced.ratio ?? Number.NaN) };
    });
  const verdicts = await checkTwice(Object.keys(loads) as RowId[], measure);
  return verdicts.map(({ id, verdict, attempts }) => [id, verdict, attempts]);
}

it('checks only rows over their limit again', async () => {
  const found = await verdictsOf({ complexity: [0.5], rules: [2, 2, 2, 2, 0.7], add: [2] });
  expect(found).toEqual([
    ['complexity', 'within', 1],
    ['rules', 'within', 1],
    ['add', 'over', 4],
  ]);
  expect(log.mock.calls[0]?.[0]).toMatch(
    /^over at first, and checked again:\nOVER: rules: .*\nOVER: add /,
  );
});

it('reports nothing if no row is over its limit', async () => {
  expect(await verdictsOf({ rules: [2, 0.7, 0.7] })).toEqual([['rules', 'within', 3]]);
  expect(log).not.toHaveBeenCalled();
});
