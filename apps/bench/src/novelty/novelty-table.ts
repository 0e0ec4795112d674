import type { NoveltyRow } from './measure-novelty.ts';

const HEADINGS = [
  'embedder',
  'source',
  'runs/tasks',
  'area',
  'lowest–highest',
  'first seen',
  'repeated',
  'p10–p90',
  'ms a run',
  'KB a run',
  'cut',
];

/** The rows as a Markdown table, columns aligned for a terminal. */
export function noveltyTable(rows: readonly NoveltyRow[]): string {
  const cells = [HEADINGS, ...rows.map(rowCells)];
  const widths = HEADINGS.map((_, column) =>
    Math.max(...cells.map((row) => (row[column] as string).length)),
  );
  const line = (row: readonly string[]): string =>
    `| ${row.map((cell, column) => cell.padEnd(widths[column] as number)).join(' | ')} |`;
  const rule = `|${widths.map((width) => '-'.repeat(width + 2)).join('|')}|`;
  return [line(HEADINGS), rule, ...cells.slice(1).map(line)].join('\n');
}

function rowCells(row: NoveltyRow): string[] {
  const [lowest, highest] = row.areaRange;
  const [tenth, ninetieth] = row.spread;
  return [
    row.embedder,
    row.source,
    `${row.runs}/${row.tasks}`,
    decimal(row.area, 3),
    Number.isNaN(row.area) ? '–' : `${decimal(lowest, 3)}–${decimal(highest, 3)}`,
    decimal(row.firstSeen, 2),
    decimal(row.repeated, 2),
    `${decimal(tenth, 2)}–${decimal(ninetieth, 2)}`,
    decimal(row.millisecondsPerRun, 2),
    decimal(row.bytesPerRun / 1_000, 1),
    `${Math.round(row.truncated * 100)}%`,
  ];
}

function decimal(value: number, digits: number): string {
  return Number.isNaN(value) ? '–' : value.toFixed(digits);
}
