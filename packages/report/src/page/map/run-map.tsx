import type { JSX } from 'preact';
import { useEffect, useLayoutEffect, useMemo, useRef, useState } from 'preact/hooks';
import { bandsOf, titleOf } from '../../describe-runs.ts';
import type { ReportData, ReportMap } from '../../report-data.ts';
import { drawMap } from './draw-map.ts';
import {
  type Frame,
  type MapView,
  type Point,
  pointOf,
  toMap,
  toPicture,
  WHOLE_MAP,
  zoomAt,
} from './map-view.ts';

const HEIGHT = 420;
const MARGIN = 24;
const NEAR_PIXELS = 14;
// A shorter line counts as a click.
const SHORTEST_LINE = 8;

interface RunMapProps {
  readonly data: ReportData;
  readonly map: ReportMap;
  readonly shown: readonly number[];
  readonly selected: number;
  readonly theme: string;
  /** The area by which the table is filtered. */
  readonly area: readonly Point[] | undefined;
  onSelect(place: number): void;
  /** Called when a line was drawn around runs; undefined removes it. */
  onArea(line: readonly Point[] | undefined): void;
}

/**
 * Shows all runs on a plane: similar runs are near each other, colours show scores, and lines join
 * repeats.
 */
export function RunMap(props: RunMapProps): JSX.Element {
  const { data, map, shown, selected, theme, area, onSelect, onArea } = props;
  const canvas = useRef<HTMLCanvasElement>(null);
  const [width, setWidth] = useState(640);
  const [view, setView] = useState<MapView>(WHOLE_MAP);
  const [hovered, setHovered] = useState<number>();
  const [line, setLine] = useState<readonly Point[]>();
  const inTable = useMemo(() => new Set(shown), [shown]);
  const frame: Frame = { width, height: HEIGHT, margin: MARGIN };

  useEffect(() => {
    const element = canvas.current?.parentElement;
    if (element == null) return undefined;
    const observer = new ResizeObserver(() => setWidth(Math.max(260, element.clientWidth)));
    observer.observe(element);
    return () => observer.disconnect();
  }, []);
  useLayoutEffect(() => {
    const scene = { data, map, view, inTable, selected, area: line ?? area ?? [] };
    if (canvas.current !== null) drawMap(canvas.current, frame, scene);
  }, [data, map, view, inTable, selected, width, theme, line, area]);

  function pointAt(event: MouseEvent): Point {
    const box = canvas.current?.getBoundingClientRect();
    return [event.clientX - (box?.left ?? 0), event.clientY - (box?.top ?? 0)];
  }
  function nearestTo(event: MouseEvent): number | undefined {
    const [x, y] = pointAt(event);
    let best: number | undefined;
    let least = NEAR_PIXELS ** 2;
    for (const place of inTable) {
      const [px, py] = toPicture(pointOf(map, place), view, frame);
      const distance = (px - x) ** 2 + (py - y) ** 2;
      if (distance < least) [best, least] = [place, distance];
    }
    return best;
  }
  function move(event: PointerEvent): void {
    if (line === undefined) setHovered(nearestTo(event));
    else setLine([...line, toMap(pointAt(event), view, frame)]);
  }
  function finish(event: PointerEvent): void {
    if (line === undefined) return;
    setLine(undefined);
    const place = nearestTo(event);
    if (line.length > SHORTEST_LINE) onArea(line);
    else if (place !== undefined) onSelect(place);
  }
  const zoom = (factor: number): void => setView(zoomAt(view, [view.x, view.y], factor));
  const run = data.runs[hovered ?? selected];
  return (
    <figure class="map" data-theme={theme}>
      <div class="controls">
        <button type="button" onClick={() => zoom(1.6)}>
          Zoom in
        </button>
        <button type="button" disabled={view.zoom === 1} onClick={() => zoom(1 / 1.6)}>
          Zoom out
        </button>
        {area !== undefined && (
          <button type="button" onClick={() => onArea(undefined)}>
            Clear the area
          </button>
        )}
        <span class="quiet">Draw a line around runs to narrow the table to them.</span>
      </div>
      <canvas
        ref={canvas}
        role="img"
        aria-label={describe(data, map)}
        onPointerDown={(event) => {
          if (event.button !== 0 || event.pointerType === 'touch') return;
          event.currentTarget.setPointerCapture(event.pointerId);
          setLine([toMap(pointAt(event), view, frame)]);
        }}
        onPointerMove={move}
        onPointerUp={finish}
        onPointerLeave={() => setHovered(undefined)}
        onClick={(event) => {
          // Touch scrolls the page instead of drawing lines.
          const place =
            (event as unknown as PointerEvent).pointerType === 'touch'
              ? nearestTo(event)
              : undefined;
          if (place !== undefined) onSelect(place);
        }}
        onWheel={(event) => {
          // Without a modifier key, the wheel scrolls the page.
          if (!event.ctrlKey && !event.metaKey) return;
          event.preventDefault();
          setView(zoomAt(view, toMap(pointAt(event), view, frame), event.deltaY < 0 ? 1.25 : 0.8));
        }}
      />
      <Legend data={data} />
      <figcaption>
        {run === undefined ? (
          'Point at a run to see which it is.'
        ) : (
          <bdi>{`${run.score.toFixed(3)} ${titleOf(run, data.tools)}`}</bdi>
        )}
      </figcaption>
    </figure>
  );
}

function Legend({ data }: { data: ReportData }): JSX.Element {
  return (
    <ul class="legend">
      {bandsOf(data).map(({ name, from }) => (
        <li key={name}>
          <svg class="swatch" viewBox="0 0 10 10" aria-hidden="true">
            <circle class={`band-${Math.round(from * 5)}`} cx="5" cy="5" r="5" />
          </svg>
          score {name}
        </li>
      ))}
      <li>
        <svg class="swatch" viewBox="0 0 10 10" aria-hidden="true">
          <path class="cross" d="M1 1L9 9M9 1L1 9" />
        </svg>
        failed
      </li>
      <li>― near copies</li>
    </ul>
  );
}

function describe({ runs }: ReportData, { clusters, duplicates, method }: ReportMap): string {
  return `Map of ${runs.length} runs by similarity (${method.toUpperCase()}), coloured by score: ${clusters.length} groups, ${duplicates.length} sets of repeats. The table lists the same runs.`;
}
