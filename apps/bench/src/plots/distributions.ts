import { quantileSorted } from 'simple-statistics';
import type { TopLevelSpec } from 'vega-lite';
import type { BenchmarkResult } from '../results/results-file.ts';
import { POWERS_OF_TEN, renderSvg, TIME_LABELS } from './render-svg.ts';

/**
 * How the times of each benchmark spread: a line from 1 % to 99 %, a bar over the middle half, a
 * tick at the median. Of benchmarks with a size, the smallest.
 */
export function plotDistributions(benchmarks: readonly BenchmarkResult[]): Promise<string> {
  const values = smallest(benchmarks).map(({ group, name, size, quantiles }) => {
    const at = (share: number): number => quantileSorted([...quantiles], share);
    const label = size === undefined ? name : `${name} (${size.toLocaleString('en')})`;
    return {
      group,
      label,
      p1: at(0.01),
      p25: at(0.25),
      p50: at(0.5),
      p75: at(0.75),
      p99: at(0.99),
    };
  });
  const x = {
    type: 'quantitative',
    scale: { type: 'log' },
    axis: { labelExpr: TIME_LABELS, values: POWERS_OF_TEN },
    title: 'time an operation',
  };
  const y = { field: 'label', type: 'nominal', sort: null, title: null, axis: { labelLimit: 480 } };
  const color = { field: 'group', type: 'nominal', sort: null, title: null };
  const chart = {
    title: 'Distribution of latencies: 1 to 99 %, the middle half, the median',
    data: { values },
    width: 640,
    height: { step: 18 },
    layer: [
      { mark: 'rule', encoding: { y, x: { ...x, field: 'p1' }, x2: { field: 'p99' }, color } },
      {
        mark: { type: 'bar', height: 10 },
        encoding: { y, x: { ...x, field: 'p25' }, x2: { field: 'p75' }, color },
      },
      {
        mark: { type: 'tick', color: 'black', thickness: 2, size: 12 },
        encoding: { y, x: { ...x, field: 'p50' } },
      },
    ],
  };
  return renderSvg(chart as TopLevelSpec);
}

function smallest(benchmarks: readonly BenchmarkResult[]): BenchmarkResult[] {
  const found = new Map<string, BenchmarkResult>();
  for (const benchmark of benchmarks) {
    const key = `${benchmark.group}: ${benchmark.name}`;
    const known = found.get(key);
    if (known === undefined || (benchmark.size ?? 0) < (known.size ?? 0)) found.set(key, benchmark);
  }
  return [...found.values()];
}
