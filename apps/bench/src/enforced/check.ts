import { median } from 'simple-statistics';
import {
  formatBytes,
  formatNanoseconds,
  formatPercent,
  type TextTable,
} from '../results/tables.ts';
import { LATENCY_TABLE, type LatencyRow, type RowId } from './latency-table.ts';
import type { MeasureRows, RowResult } from './measure-rows.ts';

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
 * two attempts within the limit do, or enough over it that two within are no longer possible.
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

/** The verdicts as a table, in their order. */
export function verdictTable(verdicts: readonly RowVerdict[]): TextTable {
  return {
    columns: [
      { heading: 'part' },
      { heading: 'documented', right: true },
      { heading: 'measured', right: true },
      { heading: 'limit here', right: true },
      { heading: 'headroom', right: true },
      { heading: 'attempts', right: true },
      { heading: 'verdict' },
    ],
    rows: verdicts.map((verdict) => rowOf(verdict, LATENCY_TABLE[verdict.id])),
  };
}

/** What a reader must not overlook: one sentence a row that is over or was not measured. */
export function describeFindings(verdicts: readonly RowVerdict[]): string[] {
  return verdicts.flatMap((verdict) => {
    const row = LATENCY_TABLE[verdict.id];
    if (verdict.verdict === 'not measured') {
      return [`NOT MEASURED: ${row.part}: ${verdict.reason}`];
    }
    if (verdict.verdict === 'over') {
      const [measured, limit] = [verdict.value ?? Number.NaN, verdict.limit ?? Number.NaN];
      return [
        `OVER: ${row.part}: expected at most ${format(row, limit)}, received ${format(row, measured)}, median of ${verdict.attempts} processes (the limit's reason: ${row.reason})`,
      ];
    }
    return [];
  });
}

function rowOf(verdict: RowVerdict, row: LatencyRow): string[] {
  const { value, limit, headroom } = verdict;
  const show = (number: number | undefined): string =>
    number === undefined ? '' : format(row, number);
  return [
    row.part,
    show(row.documented),
    show(value) + (isAboveDocumented(verdict, row) ? ' *' : ''),
    show(limit),
    headroom === undefined ? '' : formatPercent(headroom),
    String(verdict.attempts),
    verdict.verdict === 'within' ? 'within' : verdict.verdict.toUpperCase(),
  ];
}

/** Whether a row is above the documented figure; it may still be within its limit. */
export function isAboveDocumented({ value }: RowVerdict, { documented }: LatencyRow): boolean {
  return value !== undefined && documented !== undefined && value > documented;
}

function format({ unit }: LatencyRow, value: number): string {
  return unit === 'bytes' ? formatBytes(value) : formatNanoseconds(value);
}
