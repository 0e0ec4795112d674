import { median, quantileSorted } from 'simple-statistics';
import * as vega from 'vega';
import { compile, type TopLevelSpec } from 'vega-lite';
import type { HistoryPoint } from '../results/history.ts';
import type { BenchmarkResult } from '../results/results-file.ts';

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

/**
 * How each benchmark went from run to run, a panel each: its median in runs of the reference loop, as
 * times of that of the first run.
 *
 * @param points - the earliest first.
 * @param order - the horizontal axis: moments, or one place for each revision.
 */
export function plotHistory(
  points: readonly HistoryPoint[],
  order: 'time' | 'commit',
): Promise<string> {
  const firsts = new Map<string, number>();
  const values = points.map(({ key, group, startedAt, revision, relative }) => {
    const first = firsts.get(key) ?? relative;
    firsts.set(key, first);
    return { key, group, startedAt, revision, times: relative / first };
  });
  const revisions = [...new Set(points.map(({ revision }) => revision))];
  const x =
    order === 'time'
      ? { field: 'startedAt', type: 'temporal', title: null }
      : { field: 'revision', type: 'ordinal', sort: revisions, title: null };
  const chart = {
    title: 'Times of the first run, measured in runs of the reference loop',
    data: { values },
    columns: 4,
    spacing: { row: 12, column: 24 },
    facet: { field: 'key', type: 'nominal', sort: [...firsts.keys()], title: null },
    spec: {
      width: 200,
      height: 110,
      mark: { type: 'line', point: true },
      encoding: {
        x,
        y: { field: 'times', type: 'quantitative', title: null, scale: { zero: true } },
        color: { field: 'group', type: 'nominal', sort: null, legend: null },
      },
    },
  };
  return renderSvg(chart as TopLevelSpec);
}

const CONFIG = {
  background: 'white',
  font: 'sans-serif',
  axis: { labelFontSize: 11, titleFontSize: 12, labelLimit: 320, gridColor: '#e4e4e4' },
  legend: { labelFontSize: 11, titleFontSize: 12, labelLimit: 320 },
  title: { fontSize: 14, anchor: 'start' },
  view: { stroke: null },
} as const;

/** Draws a Vega-Lite chart as SVG. */
async function renderSvg(chart: TopLevelSpec): Promise<string> {
  const { spec } = compile({ ...chart, config: CONFIG } as TopLevelSpec);
  const view = new vega.View(vega.parse(spec), { renderer: 'none' });
  try {
    return await view.toSVG();
  } finally {
    view.finalize();
  }
}

/** Vega expression that shows nanoseconds with the fitting unit on an axis. */
const TIME_LABELS =
  "datum.value < 1e3 ? format(datum.value, '~r') + ' ns' : datum.value < 1e6 ? format(datum.value / 1e3, '~r') + ' µs' : datum.value < 1e9 ? format(datum.value / 1e6, '~r') + ' ms' : format(datum.value / 1e9, '~r') + ' s'";

/** Ticks at powers of ten, for logarithmic axes. */
const POWERS_OF_TEN: readonly number[] = Array.from(
  { length: 13 },
  (_, index) => 10 ** (index - 2),
);
