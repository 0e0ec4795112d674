import type { MeasureRows, RowResult } from './attempt.ts';
import type { LatencyRow } from './latency-row.ts';
import { LATENCY_TABLE, type RowId } from './latency-table.ts';
import { isSettled, judge, loadOf, MOST_ATTEMPTS, type RowVerdict } from './verdict.ts';

/**
 * Measures rows and holds them to their limits; those that are near or over are measured again, in
 * further processes.
 *
 * @returns a verdict a row, in the order of `ids`.
 */
export async function check(
  ids: readonly RowId[],
  measure: MeasureRows,
  table: Readonly<Record<RowId, LatencyRow>> = LATENCY_TABLE,
): Promise<RowVerdict[]> {
  const results = new Map<RowId, RowResult[]>(ids.map((id) => [id, []]));
  const isOpen = (id: RowId): boolean => {
    const so = results.get(id) ?? [];
    if (so.some((result) => 'notMeasured' in result)) return false;
    return !isSettled(so.map((result) => loadOf(result, table[id])));
  };
  for (let attempt = 0; attempt < MOST_ATTEMPTS; attempt++) {
    const open = ids.filter(isOpen);
    if (open.length === 0) break;
    for (const result of await measure(open)) results.get(result.id)?.push(result);
  }
  return ids.map((id) => judge(id, table[id], results.get(id) ?? []));
}
