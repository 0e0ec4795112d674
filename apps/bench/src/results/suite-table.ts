import { quantileSorted } from 'simple-statistics';
import { formatBytes, formatNanoseconds } from './format-value.ts';
import type { BenchmarkResult, Figure } from './results-file.ts';
import type { TextTable } from './text-table.ts';

const SHOWN = [0.05, 0.25, 0.5, 0.75, 0.99] as const;

/** Benchmarks with quantiles of their time an operation. */
export function suiteTable(benchmarks: readonly BenchmarkResult[]): TextTable {
  return {
    columns: [
      { heading: 'benchmark' },
      { heading: 'size', right: true },
      ...SHOWN.map((share) => ({ heading: nameOf(share), right: true })),
    ],
    rows: benchmarks.map(({ group, name, size, quantiles }) => [
      `${group}: ${name}`,
      size === undefined ? '' : size.toLocaleString('en'),
      ...SHOWN.map((share) => formatNanoseconds(quantileSorted([...quantiles], share))),
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
