import type { JSX } from 'preact';
import { useEffect, useLayoutEffect, useMemo, useRef, useState } from 'preact/hooks';
import { shortId } from '../describe-runs.ts';
import type { ReportData, ReportMap, ReportRun } from '../report-data.ts';
import { scoreColor } from './verdict.tsx';

const HEIGHT = 380;
const MARGIN = 18;
const NEAR_PIXELS = 14;

interface RunMapProps {
  readonly data: ReportData;
  readonly map: ReportMap;
  readonly shown: readonly number[];
  readonly selected: number;
  readonly theme: string;
  onSelect(place: number): void;
}

/** All runs on a plane, near when alike, coloured by score; repeats are joined by lines. */
export function RunMap({ data, map, shown, selected, theme, onSelect }: RunMapProps): JSX.Element {
  const canvas = useRef<HTMLCanvasElement>(null);
  const [width, setWidth] = useState(640);
  const [hovered, setHovered] = useState<number>();
  const inTable = useMemo(() => new Set(shown), [shown]);

  useEffect(() => {
    const element = canvas.current?.parentElement;
    if (element == null) return undefined;
    const observer = new ResizeObserver(() => setWidth(Math.max(260, element.clientWidth)));
    observer.observe(element);
    return () => observer.disconnect();
  }, []);
  useLayoutEffect(() => {
    if (canvas.current !== null) draw(canvas.current, width, { data, map, inTable, selected });
  }, [data, map, inTable, selected, width, theme]);

  function nearestTo(event: PointerEvent | MouseEvent): number | undefined {
    const box = canvas.current?.getBoundingClientRect();
    if (box === undefined) return undefined;
    const [x, y] = [event.clientX - box.left, event.clientY - box.top];
    let best: number | undefined;
    let least = NEAR_PIXELS ** 2;
    for (const place of inTable) {
      const [px, py] = pointOf(map, place, width);
      const distance = (px - x) ** 2 + (py - y) ** 2;
      if (distance < least) [best, least] = [place, distance];
    }
    return best;
  }

  const run = data.runs[hovered ?? selected];
  return (
    <figure class="map">
      <canvas
        ref={canvas}
        role="img"
        aria-label={describe(data, map)}
        onPointerMove={(event) => setHovered(nearestTo(event))}
        onPointerLeave={() => setHovered(undefined)}
        onClick={(event) => {
          const place = nearestTo(event);
          if (place !== undefined) onSelect(place);
        }}
      />
      <figcaption>
        {run === undefined ? 'Point at a run to see which it is.' : <bdi>{labelOf(run)}</bdi>}
      </figcaption>
    </figure>
  );
}

interface Scene {
  readonly data: ReportData;
  readonly map: ReportMap;
  readonly inTable: ReadonlySet<number>;
  readonly selected: number;
}

function draw(canvas: HTMLCanvasElement, width: number, scene: Scene): void {
  const context = canvas.getContext('2d');
  if (context === null) return;
  const scale = globalThis.devicePixelRatio || 1;
  canvas.width = width * scale;
  canvas.height = HEIGHT * scale;
  canvas.style.width = `${width}px`;
  canvas.style.height = `${HEIGHT}px`;
  context.scale(scale, scale);
  const style = getComputedStyle(canvas);
  const color = (name: string): string => style.getPropertyValue(name);
  const { data, map, inTable, selected } = scene;

  context.strokeStyle = color('--quiet');
  context.lineWidth = 1;
  // One path for all: thousands of strokes would hold the page up.
  context.beginPath();
  for (const [first, ...rest] of map.duplicates) {
    if (first === undefined) continue;
    for (const other of rest) {
      context.moveTo(...pointOf(map, first, width));
      context.lineTo(...pointOf(map, other, width));
    }
  }
  context.stroke();
  const radius = data.runs.length > 2000 ? 2.5 : 4.5;
  for (const [place, run] of data.runs.entries()) {
    const [x, y] = pointOf(map, place, width);
    context.globalAlpha = inTable.has(place) ? 0.85 : 0.12;
    context.fillStyle = scoreColor(run.score);
    context.beginPath();
    context.arc(x, y, radius, 0, 2 * Math.PI);
    context.fill();
  }
  context.globalAlpha = 1;
  if (selected >= 0) {
    context.strokeStyle = color('--text');
    context.lineWidth = 2;
    context.beginPath();
    context.arc(...pointOf(map, selected, width), radius + 4, 0, 2 * Math.PI);
    context.stroke();
  }
  context.fillStyle = color('--text');
  context.font = '12px system-ui, sans-serif';
  context.textAlign = 'center';
  for (const { runs, words } of map.clusters) {
    if (words === undefined || words.length === 0) continue;
    const points = runs.map((place) => pointOf(map, place, width));
    const x = points.reduce((sum, point) => sum + point[0], 0) / points.length;
    const y = points.reduce((least, point) => Math.min(least, point[1]), HEIGHT) - 8;
    context.fillText(words.join(' '), Math.min(width - 60, Math.max(60, x)), Math.max(12, y));
  }
}

function pointOf(map: ReportMap, place: number, width: number): [number, number] {
  const x = map.x[place] ?? 0.5;
  const y = map.y[place] ?? 0.5;
  return [MARGIN + x * (width - 2 * MARGIN), MARGIN + y * (HEIGHT - 2 * MARGIN)];
}

function labelOf({ id, score, objective }: ReportRun): string {
  return `${score.toFixed(3)} ${shortId(id)}${objective === undefined ? '' : `: ${objective.slice(0, 120)}`}`;
}

function describe({ runs }: ReportData, { clusters, duplicates, method }: ReportMap): string {
  return `Map of ${runs.length} runs by similarity (${method.toUpperCase()}), coloured by score: ${clusters.length} groups, ${duplicates.length} sets of repeats. The table lists the same runs.`;
}
