import {
  describeMachine,
  formatBytes,
  formatNanoseconds,
  formatPercent,
  renderMarkdown,
  renderTerminal,
  type TextTable,
} from '../results/tables.ts';
import type { RowComparison } from './compare-rows.ts';
import type { RowOutcome } from './proof-file.ts';
import { failedComparisons, greatestShare, proofsOf } from './prove.ts';
import type { ComparedRow } from './rows.ts';
import type { Change } from './verdict.ts';

/** A comparison of two revisions, as it is printed and stored. */
export interface RevisionComparison {
  /** What the base was called, and its commit. */
  readonly base: string;
  readonly commit: string;
  readonly rows: readonly RowComparison[];
}

/** The comparison for a terminal or, with a heading, for the summary of a job. */
export function describeComparison(comparison: RevisionComparison, markdown: boolean): string {
  const { base, commit, rows } = comparison;
  const measured = rows.filter(({ judgement }) => judgement !== undefined);
  const tally = (['worse', 'better', 'unchanged', 'undecided'] as const).map((change) => {
    const count = measured.filter(({ judgement }) => judgement?.change === change).length;
    return `${count} ${change === 'undecided' ? 'not known' : change}`;
  });
  const lines = [
    measured.length === 0
      ? 'no row could be measured on both sides'
      : (markdown ? renderMarkdown : renderTerminal)(comparisonTable(measured)),
    '',
    ...rows.flatMap(describeMissing).map((line) => (markdown ? `- ${line}` : line)),
    `${tally.join(', ')}, ${rows.length - measured.length} not measured; against ${base} (${commit.slice(0, 12)})`,
    describeMachine(),
  ];
  if (markdown) lines.unshift('## Benchmarks', '');
  return lines.join('\n').replaceAll('\n\n\n', '\n\n');
}

/**
 * Whether the head got worse: a row is slower or larger, or cannot be measured although it can be on
 * the base.
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
    columns: [
      { heading: 'part' },
      { heading: 'base', right: true },
      { heading: 'head', right: true },
      { heading: 'change', right: true },
      { heading: 'interval', right: true },
      { heading: 'pairs', right: true },
      { heading: 'told at', right: true },
      { heading: 'verdict' },
    ],
    rows: rows.map(({ row, base = Number.NaN, head = Number.NaN, judgement }) => {
      const [low = Number.NaN, high = Number.NaN] = judgement?.interval ?? [];
      return [
        row.part,
        format(row, base),
        format(row, head),
        signed(judgement?.ratio ?? Number.NaN),
        `${signed(low)} to ${signed(high)}`,
        String(judgement?.pairs),
        `${row.factor} ×`,
        verdictOf(row, judgement?.change ?? 'undecided'),
      ];
    }),
  };
}

/** What comparisons of a revision with itself prove, for a terminal or as Markdown. */
export function describeProof(
  comparisons: readonly (readonly RowOutcome[])[],
  markdown: boolean,
): string {
  if (comparisons.length === 0) return 'no comparison was made';
  const failed = failedComparisons(comparisons);
  const most = formatPercent(greatestShare(failed, comparisons.length));
  return [
    (markdown ? renderMarkdown : renderTerminal)(proofTable(comparisons)),
    '',
    `${failed} of ${comparisons.length} comparisons of equal revisions called a row slower or larger: at most ${most}, at 95 % confidence`,
    describeMachine(),
  ].join('\n');
}

function proofTable(comparisons: readonly (readonly RowOutcome[])[]): TextTable {
  const total = (counts: Readonly<Record<Change, number>>): number =>
    counts.worse + counts.better + counts.unchanged + counts.undecided;
  return {
    columns: [
      { heading: 'part' },
      { heading: 'unchanged: false alarms', right: true },
      { heading: 'not known', right: true },
      { heading: 'slowed by', right: true },
      { heading: 'measured', right: true },
      { heading: 'caught', right: true },
      { heading: 'not known', right: true },
      { heading: 'pairs, mean', right: true },
    ],
    rows: proofsOf(comparisons).map(({ row, unchanged, slowed, slowedRatio, pairs }) => [
      row.part,
      `${unchanged.worse + unchanged.better} of ${total(unchanged)}`,
      String(unchanged.undecided),
      `${row.factor} ×`,
      `${slowedRatio.toFixed(2)} ×`,
      `${slowed.worse} of ${total(slowed)}`,
      String(slowed.undecided),
      pairs.toFixed(1),
    ]),
  };
}

function verdictOf({ unit }: ComparedRow, change: Change): string {
  if (change === 'worse') return unit === 'bytes' ? 'LARGER' : 'SLOWER';
  if (change === 'better') return unit === 'bytes' ? 'smaller' : 'faster';
  return change === 'undecided' ? 'not known' : change;
}

function format({ unit }: ComparedRow, value: number): string {
  return unit === 'bytes' ? formatBytes(value) : formatNanoseconds(value);
}

function signed(ratio: number): string {
  return `${ratio >= 1 ? '+' : ''}${formatPercent(ratio - 1)}`;
}
