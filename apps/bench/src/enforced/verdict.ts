import { median } from 'simple-statistics';
import type { RowResult } from './attempt.ts';
import type { LatencyRow } from './latency-row.ts';
import type { RowId } from './latency-table.ts';

/** What became of a row. `not measured` is never `within`. */
type Verdict = 'within' | 'over' | 'not measured';

export interface RowVerdict {
  readonly id: RowId;
  readonly verdict: Verdict;
  /** Median of the attempts, in the row's unit. */
  readonly value?: number;
  /** The enforced limit that is nearer, in the row's unit, on this machine as it is now. */
  readonly limit?: number;
  /** Share of the limit that is left; negative when over. */
  readonly headroom?: number;
  readonly attempts: number;
  /** Why it was not measured. */
  readonly reason?: string;
}

/** Attempts on a row at most. */
export const MOST_ATTEMPTS = 5;
// Above it a single attempt does not settle the matter.
const NEAR = 0.85;
// Of five attempts; a process that a compiler served badly stays slow to its end, and is one of them.
const PASSES_NEEDED = 2;

/** The value divided by its limit: 1 is at the limit. The nearer limit counts. */
export function loadOf(result: RowResult, { enforced }: LatencyRow): number {
  if ('notMeasured' in result) return 0;
  const { value, ratio } = result;
  const byValue = enforced.atMost === undefined ? 0 : value / enforced.atMost;
  const byRatio = enforced.ratio === undefined || ratio === undefined ? 0 : ratio / enforced.ratio;
  return Math.max(byValue, byRatio);
}

/**
 * Whether the attempts so far settle a row: the first does when it is clearly within; otherwise
 * two attempts within the limit do, or so many over it that two within can no longer come.
 */
export function isSettled(loads: readonly number[]): boolean {
  const [first] = loads;
  if (first === undefined) return false;
  if (loads.length === 1 && first <= NEAR) return true;
  const within = loads.filter((load) => load <= 1).length;
  return within >= PASSES_NEEDED || loads.length - within > MOST_ATTEMPTS - PASSES_NEEDED;
}

/** The verdict on a row, given attempts that settle it. */
export function judge(id: RowId, row: LatencyRow, results: readonly RowResult[]): RowVerdict {
  const attempts = results.length;
  const measured = results.filter((result) => 'value' in result);
  const missing = results.find((result) => 'notMeasured' in result);
  if (missing !== undefined || measured.length === 0) {
    const reason = missing?.notMeasured ?? 'nothing was measured';
    return { id, verdict: 'not measured', attempts, reason };
  }
  const loads = measured.map((result) => loadOf(result, row));
  const within = loads.filter((load) => load <= 1).length;
  const passes = within >= PASSES_NEEDED || (attempts === 1 && within === 1);
  const value = median(measured.map((result) => result.value));
  const load = median(loads);
  return {
    id,
    verdict: passes ? 'within' : 'over',
    value,
    limit: value / load,
    headroom: 1 - load,
    attempts,
  };
}
