import type { JSX } from 'preact';
import { useMemo, useRef } from 'preact/hooks';
import type { ReportData, ReportRun } from '../report-data.ts';
import { EVERYTHING, type Range } from './ranges.ts';
import { type RunFilter, readValue } from './use-filter.ts';

const BINS = 25;
const WIDTH = 200;
const HEIGHT = 60;

/** How the score and each dimension are distributed; a range chosen in one narrows the table. */
export function Distributions({
  data,
  filter,
}: {
  data: ReportData;
  filter: RunFilter;
}): JSX.Element {
  return (
    <div class="distributions">
      {[-1, ...data.dimensions.keys()].map((dimension) => (
        <Distribution key={dimension} data={data} filter={filter} dimension={dimension} />
      ))}
    </div>
  );
}

interface DistributionProps {
  readonly data: ReportData;
  readonly filter: RunFilter;
  readonly dimension: number;
}

function Distribution({ data, filter, dimension }: DistributionProps): JSX.Element {
  const picture = useRef<SVGSVGElement>(null);
  const start = useRef(0);
  const name = dimension === -1 ? 'score' : (data.dimensions[dimension] ?? '');
  const all = useMemo(() => binned(data.runs, dimension), [data, dimension]);
  const label = useMemo(() => describe(name, data.runs, dimension), [name, data, dimension]);
  const shown = binned(
    filter.shown.map((place) => data.runs[place] as ReportRun),
    dimension,
  );
  const most = Math.max(1, ...all);
  const range = filter.rangeOf(dimension);
  const y = (count: number): number => HEIGHT - (count / most) * (HEIGHT - 4);

  function valueAt(event: PointerEvent): number {
    const box = picture.current?.getBoundingClientRect();
    if (box === undefined || box.width === 0) return 0;
    return Math.min(1, Math.max(0, (event.clientX - box.left) / box.width));
  }
  function drag(event: PointerEvent): void {
    if (event.buttons !== 1) return;
    const at = valueAt(event);
    const wide = Math.abs(at - start.current) > 0.02;
    const next: Range = [Math.min(at, start.current), Math.max(at, start.current)];
    filter.setRange(dimension, wide ? next : EVERYTHING);
  }

  return (
    <fieldset class="distribution">
      <legend>{name}</legend>
      <svg
        ref={picture}
        viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
        role="img"
        aria-label={label}
        onPointerDown={(event) => {
          start.current = valueAt(event);
          event.currentTarget.setPointerCapture(event.pointerId);
          filter.setRange(dimension, EVERYTHING);
        }}
        onPointerMove={drag}
      >
        {all.map((count, bin) => (
          <g key={bin}>
            <rect
              class="rest"
              x={(bin * WIDTH) / BINS}
              y={y(count)}
              width={WIDTH / BINS - 1}
              height={HEIGHT - y(count)}
            />
            <rect
              class={dimension === -1 ? 'score' : `dimension-${dimension % 8}`}
              x={(bin * WIDTH) / BINS}
              y={y(shown[bin] ?? 0)}
              width={WIDTH / BINS - 1}
              height={HEIGHT - y(shown[bin] ?? 0)}
            />
          </g>
        ))}
        {range !== EVERYTHING && (
          <rect
            class="brush"
            x={range[0] * WIDTH}
            width={(range[1] - range[0]) * WIDTH}
            height={HEIGHT}
          />
        )}
      </svg>
      <RangeInput
        label={`Least ${name}`}
        value={range[0]}
        onInput={(value) => filter.setRange(dimension, [Math.min(value, range[1]), range[1]])}
      />
      <RangeInput
        label={`Most ${name}`}
        value={range[1]}
        onInput={(value) => filter.setRange(dimension, [range[0], Math.max(value, range[0])])}
      />
    </fieldset>
  );
}

interface RangeInputProps {
  readonly label: string;
  readonly value: number;
  onInput(value: number): void;
}

function RangeInput({ label, value, onInput }: RangeInputProps): JSX.Element {
  return (
    <input
      type="range"
      min="0"
      max="1"
      step="0.01"
      aria-label={label}
      value={value}
      onInput={(event) => onInput(Number(event.currentTarget.value))}
    />
  );
}

function binned(runs: readonly ReportRun[], dimension: number): number[] {
  const bins = new Array<number>(BINS).fill(0);
  for (const run of runs) {
    const bin = Math.min(BINS - 1, Math.max(0, Math.floor(readValue(run, dimension) * BINS)));
    bins[bin] = (bins[bin] ?? 0) + 1;
  }
  return bins;
}

function describe(name: string, runs: readonly ReportRun[], dimension: number): string {
  const values = Float64Array.from(runs, (run) => readValue(run, dimension)).sort();
  const at = (share: number): string =>
    (values[Math.round(share * (values.length - 1))] ?? 0).toFixed(2);
  return `Distribution of ${name}: ${at(0)} to ${at(1)}, half of the runs from ${at(0.25)} to ${at(0.75)}`;
}
