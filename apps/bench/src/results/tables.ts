import { cpus, loadavg } from 'node:os';
import Table from 'cli-table3';
import { quantileSorted } from 'simple-statistics';
import type { BenchmarkResult, Figure } from './results-file.ts';

/** Rows of text under a heading each; numbers are best set in columns that are `right`. */
export interface TextTable {
  readonly columns: readonly { readonly heading: string; readonly right?: boolean }[];
  readonly rows: readonly (readonly string[])[];
}

/** For a terminal: columns apart by spaces, no lines. */
export function renderTerminal({ columns, rows }: TextTable): string {
  const table = new Table({
    head: columns.map(({ heading }) => heading),
    colAligns: columns.map(({ right }) => (right === true ? 'right' : 'left')),
    style: { head: [], border: [], 'padding-left': 0, 'padding-right': 2 },
    chars: NO_LINES,
  });
  for (const row of rows) table.push([...row]);
  return table
    .toString()
    .split('\n')
    .map((line) => line.trimEnd())
    .join('\n');
}

/** For a page or a comment on a pull request. */
export function renderMarkdown({ columns, rows }: TextTable): string {
  const line = (cells: readonly string[]): string =>
    `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`;
  return [
    line(columns.map(({ heading }) => heading)),
    line(columns.map(({ right }) => (right === true ? '---:' : '---'))),
    ...rows.map(line),
  ].join('\n');
}

const NO_LINES = Object.fromEntries(
  ['top', 'bottom', 'left', 'right', 'mid']
    .flatMap((place) => [place, `${place}-mid`, `${place}-left`, `${place}-right`])
    .concat('middle')
    .map((place) => [place, '']),
);

const SHOWN = [0.05, 0.25, 0.5, 0.75, 0.99] as const;

/** Benchmarks with quantiles of their time an operation; of what is timed in batches, the median. */
export function suiteTable(benchmarks: readonly BenchmarkResult[]): TextTable {
  return {
    columns: [
      { heading: 'benchmark' },
      { heading: 'size', right: true },
      ...SHOWN.map((share) => ({ heading: nameOf(share), right: true })),
    ],
    rows: benchmarks.map(({ group, name, size, quantiles, batched }) => [
      `${group}: ${name}`,
      size === undefined ? '' : size.toLocaleString('en'),
      ...SHOWN.map((share) =>
        batched === true && share !== 0.5
          ? ''
          : formatNanoseconds(quantileSorted([...quantiles], share)),
      ),
    ]),
  };
}

export function figureTable(figures: readonly Figure[]): TextTable {
  return {
    columns: [{ heading: 'figure' }, { heading: 'value', right: true }],
    rows: figures.map(({ name, unit, value }) => [
      name,
      unit === 'bytes' ? formatBytes(value) : formatNanoseconds(value),
    ]),
  };
}

function nameOf(share: number): string {
  return share === 0.5 ? 'median' : `${Math.round(share * 100)} %`;
}

/** Nanoseconds as a person reads them: three digits and the fitting unit. */
export function formatNanoseconds(nanoseconds: number): string {
  const [unit, size] = fittingUnit(Math.abs(nanoseconds));
  return `${threeDigits(nanoseconds / size)} ${unit}`;
}

export function formatBytes(bytes: number): string {
  if (Math.abs(bytes) < 10_000) return `${Math.round(bytes)} B`;
  if (Math.abs(bytes) < 1e6) return `${threeDigits(bytes / 1e3)} kB`;
  return `${threeDigits(bytes / 1e6)} MB`;
}

export function formatPercent(share: number): string {
  return `${Math.round(share * 100)} %`;
}

function fittingUnit(nanoseconds: number): [string, number] {
  if (nanoseconds < 1e3) return ['ns', 1];
  if (nanoseconds < 1e6) return ['µs', 1e3];
  return nanoseconds < 1e9 ? ['ms', 1e6] : ['s', 1e9];
}

function threeDigits(value: number): string {
  const digits = Math.max(0, 2 - Math.floor(Math.log10(Math.max(Math.abs(value), 1e-2))));
  return value.toFixed(Math.min(2, digits));
}

/** Processor, cores, load and runtime, in a line: what a figure is worth depends on them. */
export function describeMachine(): string {
  const cores = cpus();
  const model = cores[0]?.model.trim() ?? 'an unknown processor';
  const load = loadavg()[0]?.toFixed(1) ?? '?';
  return `${cores.length} cores of ${model}, load ${load}, ${describeRuntime()}`;
}

/** Name and version of the runtime. */
export function describeRuntime(): string {
  const { bun, node } = process.versions;
  return bun === undefined ? `Node ${node}` : `Bun ${bun}`;
}
