import type { JSX } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import { outcomeOf, shortId } from '../describe-runs.ts';
import type { ReportData, ReportRun } from '../report-data.ts';
import type { RunFilter, SortKey } from './use-filter.ts';
import { usePrinting } from './use-printing.ts';

const ROW_HEIGHT = 30;
// Rows above and below what is seen, so that a quick scroll finds them there.
const SPARE_ROWS = 12;
const VISIBLE_HEIGHT = 480;
// On paper nothing scrolls.
const PRINTED_ROWS = 50;

interface RunTableProps {
  readonly data: ReportData;
  readonly filter: RunFilter;
  readonly selected: number;
  /** Whether somebody chose the selected run, so that it has to be in sight. */
  readonly isChosen: boolean;
  onSelect(place: number): void;
}

/** All runs, of which only the rows in sight are elements. */
export function RunTable(props: RunTableProps): JSX.Element {
  const { data, filter, selected, isChosen, onSelect } = props;
  const isPrinting = usePrinting();
  const [top, setTop] = useState(0);
  const scroller = useRef<HTMLElement>(null);
  const { shown } = filter;
  // A narrower table may end above where the last one was scrolled to.
  const seen = Math.min(top, Math.max(0, shown.length * ROW_HEIGHT - VISIBLE_HEIGHT));
  const below = Math.ceil((seen + VISIBLE_HEIGHT) / ROW_HEIGHT) + SPARE_ROWS;
  const first = isPrinting ? 0 : Math.max(0, Math.floor(seen / ROW_HEIGHT) - SPARE_ROWS);
  const last = Math.min(shown.length, isPrinting ? PRINTED_ROWS : below);
  const position = shown.indexOf(selected);

  useEffect(() => {
    const box = scroller.current;
    if (box === null || position < 0 || !isChosen) return;
    const at = position * ROW_HEIGHT;
    if (at < box.scrollTop) box.scrollTop = at;
    else if (at + 2 * ROW_HEIGHT > box.scrollTop + box.clientHeight) {
      box.scrollTop = at + 2 * ROW_HEIGHT - box.clientHeight;
    }
  }, [position, isChosen]);

  function onKeyDown(event: KeyboardEvent): void {
    const steps: Readonly<Record<string, number>> = {
      ArrowDown: 1,
      ArrowUp: -1,
      PageDown: 15,
      PageUp: -15,
      Home: -Infinity,
      End: Infinity,
    };
    const step = steps[event.key];
    if (step === undefined || shown.length === 0) return;
    event.preventDefault();
    const next = Math.min(shown.length - 1, Math.max(0, position + step));
    onSelect(shown[next] as number);
  }

  const columns = columnsOf(data);
  return (
    <section
      class="scroller"
      ref={scroller}
      onScroll={(event) => setTop(event.currentTarget.scrollTop)}
      onKeyDown={onKeyDown}
      // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard.
      tabIndex={0}
      aria-label="Runs; arrow keys choose one"
    >
      <table aria-rowcount={shown.length + 1}>
        <thead>
          <tr aria-rowindex={1}>
            {columns.map((column) => (
              <Heading key={column.title} column={column} filter={filter} />
            ))}
          </tr>
        </thead>
        <tbody>
          <Gap rows={first} columns={columns.length} />
          {shown.slice(first, last).map((place, index) => (
            <Row
              key={place}
              data={data}
              run={data.runs[place] as ReportRun}
              columns={columns}
              rowIndex={first + index + 2}
              isSelected={place === selected}
              onSelect={() => onSelect(place)}
            />
          ))}
          <Gap rows={shown.length - last} columns={columns.length} />
        </tbody>
      </table>
      {isPrinting && last < shown.length && (
        <p class="quiet">{shown.length - last} further runs are not printed.</p>
      )}
    </section>
  );
}

interface Column {
  readonly title: string;
  readonly key: SortKey | undefined;
  readonly isNumber?: boolean;
  cell(run: ReportRun, data: ReportData): JSX.Element | string;
}

function columnsOf(data: ReportData): Column[] {
  const has = (test: (run: ReportRun) => unknown): boolean =>
    data.runs.some((run) => test(run) !== undefined);
  const columns: Column[] = [
    { title: 'Score', key: 'score', isNumber: true, cell: ({ score }) => score.toFixed(3) },
    { title: 'Where it comes from', key: undefined, cell: (run) => <Contributions run={run} /> },
    { title: 'Outcome', key: 'outcome', cell: (run) => <Outcome run={run} /> },
    { title: 'Steps', key: 'steps', isNumber: true, cell: ({ steps }) => `${steps.kinds.length}` },
  ];
  if (has(({ objective }) => objective)) {
    columns.push({ title: 'Objective', key: undefined, cell: ({ objective }) => objective ?? '' });
  }
  if (has(({ task }) => task)) {
    columns.push({ title: 'Task', key: 'task', cell: ({ task }) => task ?? '' });
  }
  columns.push({ title: 'Run', key: 'id', cell: ({ id }) => shortId(id) });
  if (has(({ band }) => band)) {
    columns.push({ title: 'Band', key: undefined, cell: ({ band }) => band ?? '' });
  }
  return columns;
}

function Heading({ column, filter }: { column: Column; filter: RunFilter }): JSX.Element {
  const { title, key } = column;
  if (key === undefined) return <th scope="col">{title}</th>;
  const isSorted = filter.sort === key;
  const direction = filter.descending ? 'descending' : 'ascending';
  return (
    <th scope="col" aria-sort={isSorted ? direction : 'none'}>
      <button type="button" onClick={() => filter.sortBy(key)}>
        {title}
        <span aria-hidden="true">{isSorted ? (filter.descending ? ' ↓' : ' ↑') : ''}</span>
      </button>
    </th>
  );
}

interface RowProps {
  readonly data: ReportData;
  readonly run: ReportRun;
  readonly columns: readonly Column[];
  readonly rowIndex: number;
  readonly isSelected: boolean;
  onSelect(): void;
}

function Row({ data, run, columns, rowIndex, isSelected, onSelect }: RowProps): JSX.Element {
  return (
    <tr aria-rowindex={rowIndex} aria-current={isSelected} onClick={onSelect}>
      {columns.map((column) => (
        <td key={column.title} class={column.isNumber === true ? 'number' : undefined}>
          <bdi>{column.cell(run, data)}</bdi>
        </td>
      ))}
    </tr>
  );
}

/** Stands for the rows out of sight. */
function Gap({ rows, columns }: { rows: number; columns: number }): JSX.Element | null {
  if (rows <= 0) return null;
  return (
    <tr class="gap" style={{ height: `${rows * ROW_HEIGHT}px` }}>
      <td colSpan={columns} />
    </tr>
  );
}

/** The contributions of the dimensions, one after the other, as long as the score. */
export function Contributions({ run }: { run: ReportRun }): JSX.Element {
  let at = 0;
  return (
    <svg class="stack" viewBox="0 0 100 10" preserveAspectRatio="none" aria-hidden="true">
      <rect class="rest" width="100" height="10" />
      {run.values.map((value, place) => {
        const width = value * (run.weights[place] ?? 0) * 100;
        const x = at;
        at += width;
        return (
          <rect key={place} class={`dimension-${place % 8}`} x={x} width={width} height="10" />
        );
      })}
      <rect class="mark" x={Math.min(99, run.score * 100)} width="1" height="10" />
    </svg>
  );
}

export function Outcome({ run }: { run: ReportRun }): JSX.Element {
  const mark = run.success === null ? '?' : run.success ? '✓' : '✗';
  const kind = run.success === null ? 'unknown' : run.success ? 'good' : 'bad';
  return (
    <span class={kind}>
      <span aria-hidden="true">{mark} </span>
      {outcomeOf(run)}
    </span>
  );
}
