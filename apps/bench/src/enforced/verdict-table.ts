import { formatBytes, formatNanoseconds, formatPercent } from '../results/format-value.ts';
import type { TextTable } from '../results/text-table.ts';
import type { LatencyRow } from './latency-row.ts';
import { LATENCY_TABLE } from './latency-table.ts';
import type { RowVerdict } from './verdict.ts';

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

/** Whether a row is above the documented figure; with a limit of its own it may be within that. */
export function isAboveDocumented({ value }: RowVerdict, { documented }: LatencyRow): boolean {
  return value !== undefined && documented !== undefined && value > documented;
}

function format({ unit }: LatencyRow, value: number): string {
  return unit === 'bytes' ? formatBytes(value) : formatNanoseconds(value);
}
