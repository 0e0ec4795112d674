import { percent } from '@kp/foundation';
import { columnsOf, formatBytes, formatNanoseconds, type TextTable } from '../results/tables.ts';
import type { RowComparison } from './compare-rows.ts';
import type { ComparedRow } from './row.ts';
import type { Change } from './verdict.ts';

/** A stored comparison of two revisions. */
export interface RevisionComparison {
  /** The base's name as given, and its commit. */
  readonly base: string;
  readonly commit: string;
  readonly rows: readonly RowComparison[];
}

/** Formats the comparison for printing. */
export function comparisonParts(comparison: RevisionComparison): (TextTable | string)[] {
  const { base, commit, rows } = comparison;
  const measured = rows.filter(({ judgement }) => judgement !== undefined);
  const tally = (['worse', 'better', 'unchanged', 'undecided'] as const).map((change) => {
    const count = measured.filter(({ judgement }) => judgement?.change === change).length;
    return `${count} ${change}`;
  });
  const notMeasured = `${rows.length - measured.length} not measured`;
  return [
    measured.length === 0 ? 'no row could be measured on both sides' : comparisonTable(measured),
    rows.flatMap(describeMissing).join('\n'),
    `${tally.join(', ')}, ${notMeasured}; against ${base} (${commit.slice(0, 12)})`,
  ];
}

/**
 * Whether the head regressed: a row is slower or larger, or cannot be measured although the base
 * can.
 */
export function isRegression({ judgement, missing }: RowComparison): boolean {
  return (
    judgement?.change === 'worse' || (missing.head !== undefined && missing.base === undefined)
  );
}

function describeMissing({ row, missing }: RowComparison): string[] {
  const sides = (['base', 'head'] as const).filter((side) => missing[side] !== undefined);
  if (sides.length === 0) return [];
  const reasons = sides.map((side) => `${side}: ${missing[side]}`).join('; ');
  return [`NOT MEASURED: ${row.part}: ${reasons}`];
}

function comparisonTable(rows: readonly RowComparison[]): TextTable {
  return {
    columns: columnsOf([
      'part',
      'base',
      'head',
      'change',
      'interval',
      'pairs',
      'decided at',
      'verdict',
    ]),
    rows: rows.map(({ row, base = Number.NaN, head = Number.NaN, judgement }) => {
      const [low = Number.NaN, high = Number.NaN] = judgement?.interval ?? [];
      return [
        row.part,
        format(row, base),
        format(row, head),
        changeText(judgement?.ratio ?? Number.NaN),
        `${changeText(low)} to ${changeText(high)}`,
        String(judgement?.pairs),
        `${row.factor} ×`,
        verdictOf(row, judgement?.change ?? 'undecided'),
      ];
    }),
  };
}

function verdictOf({ unit }: ComparedRow, change: Change): string {
  if (change === 'worse') return unit === 'bytes' ? 'LARGER' : 'SLOWER';
  if (change === 'better') return unit === 'bytes' ? 'smaller' : 'faster';
  return change;
}

function format({ unit }: ComparedRow, value: number): string {
  return unit === 'bytes' ? formatBytes(value) : formatNanoseconds(value);
}

function changeText(ratio: number): string {
  if (Number.isNaN(ratio)) return '–';
  return `${ratio < 1 ? '−' : '+'}${percent(Math.abs(ratio - 1))}`;
}
