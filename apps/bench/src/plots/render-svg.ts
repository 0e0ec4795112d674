import * as vega from 'vega';
import { compile, type TopLevelSpec } from 'vega-lite';

const CONFIG = {
  background: 'white',
  font: 'sans-serif',
  axis: { labelFontSize: 11, titleFontSize: 12, labelLimit: 320, gridColor: '#e4e4e4' },
  legend: { labelFontSize: 11, titleFontSize: 12, labelLimit: 320 },
  title: { fontSize: 14, anchor: 'start' },
  view: { stroke: null },
} as const;

/** Draws a Vega-Lite chart as SVG. */
export async function renderSvg(chart: TopLevelSpec): Promise<string> {
  const { spec } = compile({ ...chart, config: CONFIG } as TopLevelSpec);
  const view = new vega.View(vega.parse(spec), { renderer: 'none' });
  try {
    return await view.toSVG();
  } finally {
    view.finalize();
  }
}

/** Vega expression that shows nanoseconds with the fitting unit on an axis. */
export const TIME_LABELS =
  "datum.value < 1e3 ? format(datum.value, '~r') + ' ns' : datum.value < 1e6 ? format(datum.value / 1e3, '~r') + ' µs' : datum.value < 1e9 ? format(datum.value / 1e6, '~r') + ' ms' : format(datum.value / 1e9, '~r') + ' s'";

/** Ticks at powers of ten, for logarithmic axes. */
export const POWERS_OF_TEN: readonly number[] = Array.from(
  { length: 13 },
  (_, index) => 10 ** (index - 2),
);
