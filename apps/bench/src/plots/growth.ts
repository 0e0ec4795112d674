import { median } from 'simple-statistics';
import type { TopLevelSpec } from 'vega-lite';
import type { BenchmarkResult } from '../results/results-file.ts';
import { POWERS_OF_TEN, renderSvg, TIME_LABELS } from './render-svg.ts';

/** What the size of a group counts. */
const SIZE_UNITS: Readonly<Record<string, string>> = {
  'pure parts': 'steps',
  validation: 'steps',
  evaluation: 'steps',
  cache: 'vectors',
  embedders: 'characters of text',
};

/** How the median of each benchmark grows with its size, one panel a group, both axes logarithmic. */
export function plotGrowth(benchmarks: readonly BenchmarkResult[]): Promise<string> {
  const values = benchmarks.flatMap(({ group, name, size, quantiles }) =>
    size === undefined ? [] : [{ group, name, size, time: median([...quantiles]) }],
  );
  const groups = [...new Set(values.map(({ group }) => group))];
  const chart = {
    title: 'Growth of cost with size',
    columns: 2,
    concat: groups.map((group) => ({
      title: group,
      width: 340,
      height: 240,
      data: { values: values.filter((value) => value.group === group) },
      mark: { type: 'line', point: true },
      encoding: {
        x: {
          field: 'size',
          type: 'quantitative',
          scale: { type: 'log' },
          axis: { values: POWERS_OF_TEN, format: ',' },
          title: SIZE_UNITS[group] ?? 'size',
        },
        y: {
          field: 'time',
          type: 'quantitative',
          scale: { type: 'log' },
          axis: { labelExpr: TIME_LABELS, values: POWERS_OF_TEN },
          title: 'time an operation',
        },
        color: {
          field: 'name',
          type: 'nominal',
          sort: null,
          title: null,
          legend: { orient: 'bottom', columns: 2 },
        },
      },
    })),
    resolve: { scale: { color: 'independent' } },
  };
  return renderSvg(chart as TopLevelSpec);
}
