import type { JSX } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import { outcomeOf, shortId } from '../describe-runs.ts';
import type { ReportData, ReportRun } from '../report-data.ts';
import type { RunFilter, SortKey } from './use-filter.ts';
import { usePrinting } from './use-printing.ts';
import { useVirtual } from './use-virtual.ts';

const ROW_HEIGHT = 30;
// Number of extra rows above and below the visible ones, so that a quick scroll shows no gap.
const SPARE_ROWS = 12;
// Number of printed rows, because paper does not scroll.
const PRINTED_ROWS = 50;

interface RunTableProps {
  readonly data: ReportData;
  readonly filter: RunFilter;
  /** The run that was open last. */
  readonly selected: number | undefined;
  onOpen(place: number): void;
}

/** Lists all runs; only visible rows are elements. */
export function RunTable(props: RunTableProps): JSX.Element {
  const { data, filter, selected, onOpen } = props;
  const isPrinting = usePrinting();
  const scroller = useRef<HTMLElement>(null);
  const { shown } = filter;
  const [cursor, setCursor] = useState(selected ?? shown[0] ?? 0);
  const position = Math.max(0, shown.indexOf(cursor));
  const virtual = useVirtual({
    count: shown.length,
    estimateSize: () => ROW_HEIGHT,
    getScrollElement: () => scroller.current,
    overscan: SPARE_ROWS,
    // The heading of the table stays visible.
    scrollPaddingStart: ROW_HEIGHT,
  });
  const items = virtual.getVirtualItems();
  const first = isPrinting ? 0 : (items[0]?.index ?? 0);
  const last = isPrinting ? Math.min(shown.length, PRINTED_ROWS) : (items.at(-1)?.index ?? -1) + 1;

  useEffect(() => {
    if (selected !== undefined) setCursor(selected);
  }, [selected]);

  function onKeyDown(event: KeyboardEvent): void {
    if (event.key === 'Enter' && event.target === event.currentTarget) {
      const place = shown[position];
      if (place !== undefined) onOpen(place);
      return;
    }
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
    setCursor(shown[next] as number);
    virtual.scrollToIndex(next);
  }

  const columns = columnsOf(data, filter);
  return (
    <section
      class="scroller"
      ref={scroller}
      onKeyDown={onKeyDown}
      // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard.
      tabIndex={0}
      aria-label="Runs; arrow keys choose one, Enter opens it"
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
              run={data.runs[place] as ReportRun}
              place={place}
              columns={columns}
              rowIndex={first + index + 2}
              isSelected={place === cursor}
              isRead={place === selected}
              onOpen={() => onOpen(place)}
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
  /** Whether the column contains the name of the run, which opens it. */
  readonly isTitle?: boolean;
  /** Whether phones omit it, because the open run shows it. */
  readonly isExtra?: boolean;
  cell(run: ReportRun, place: number): JSX.Element | string;
}

function columnsOf(data: ReportData, { search, texts }: RunFilter): Column[] {
  const has = (test: (run: ReportRun) => unknown): boolean =>
    data.runs.some((run) => test(run) !== undefined);
  const columns: Column[] = [
    { title: 'Score', key: 'score', isNumber: true, cell: ({ score }) => score.toFixed(3) },
    { title: 'Run', key: 'title', isTitle: true, cell: ({ title }) => title },
    { title: 'Outcome', key: 'outcome', cell: (run) => <Outcome run={run} /> },
    {
      title: 'Steps',
      key: 'steps',
      isNumber: true,
      isExtra: true,
      cell: ({ steps }) => `${steps.kinds.length}`,
    },
    {
      title: 'Contributions',
      key: undefined,
      isExtra: true,
      cell: (run) => <Contributions run={run} />,
    },
  ];
  if (search.trim() !== '' && texts.hits.size > 0) {
    columns.splice(2, 0, {
      title: 'Found',
      key: 'hits',
      isNumber: true,
      cell: (_, place) => `${texts.hits.get(place) ?? 0}`,
    });
  }
  if (has(({ task }) => task)) {
    columns.push({ title: 'Task', key: 'task', isExtra: true, cell: ({ task }) => task ?? '' });
  }
  columns.push({ title: 'Id', key: 'id', isExtra: true, cell: ({ id }) => shortId(id) });
  if (has(({ band }) => band)) {
    columns.push({
      title: 'Band',
      key: undefined,
      isExtra: true,
      cell: ({ band }) => band ?? '',
    });
  }
  return columns;
}

function Heading({ column, filter }: { column: Column; filter: RunFilter }): JSX.Element {
  const { title, key } = column;
  const className = classOf(column);
  if (key === undefined) {
    return (
      <th scope="col" class={className}>
        {title}
      </th>
    );
  }
  const isSorted = filter.sort === key;
  const direction = filter.descending ? 'descending' : 'ascending';
  return (
    <th scope="col" class={className} aria-sort={isSorted ? direction : 'none'}>
      <button type="button" onClick={() => filter.sortBy(key)}>
        {title}
        <span aria-hidden="true">{isSorted ? (filter.descending ? ' ↓' : ' ↑') : ''}</span>
      </button>
    </th>
  );
}

function classOf({ isNumber, isTitle, isExtra }: Column): string | undefined {
  const names = [isNumber && 'number', isTitle && 'title', isExtra && 'extra'];
  return names.filter((name) => typeof name === 'string').join(' ') || undefined;
}

interface RowProps {
  readonly run: ReportRun;
  readonly place: number;
  readonly columns: readonly Column[];
  readonly rowIndex: number;
  readonly isSelected: boolean;
  /** Whether the run was open last. */
  readonly isRead: boolean;
  onOpen(): void;
}

function Row(props: RowProps): JSX.Element {
  const { run, place, columns, rowIndex, isSelected, isRead, onOpen } = props;
  return (
    <tr
      aria-rowindex={rowIndex}
      aria-current={isSelected}
      class={isRead ? 'read' : undefined}
      onClick={onOpen}
    >
      {columns.map((column) => (
        <td key={column.title} class={classOf(column)}>
          {column.isTitle === true ? (
            <button type="button" class="link" tabIndex={-1}>
              <bdi>{column.cell(run, place)}</bdi>
            </button>
          ) : (
            <bdi>{column.cell(run, place)}</bdi>
          )}
        </td>
      ))}
    </tr>
  );
}

/** Takes the space of the invisible rows. */
function Gap({ rows, columns }: { rows: number; columns: number }): JSX.Element | null {
  if (rows <= 0) return null;
  return (
    <tr class="gap" style={{ height: `${rows * ROW_HEIGHT}px` }}>
      <td colSpan={columns} />
    </tr>
  );
}

/** Shows the contributions of the dimensions as one bar with the length of the score. */
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
      <rect class="mark" x={Math.min(99, run.score * 100)} y="-2" width="1.5" height="14" />
    </svg>
  );
}

/** Returns the symbol of an outcome, and the class of its colour. */
export function outcomeMark({ success }: ReportRun): { mark: string; kind: string } {
  if (success === null) return { mark: '?', kind: 'unknown' };
  return success ? { mark: '✓', kind: 'good' } : { mark: '✗', kind: 'bad' };
}

export function Outcome({ run }: { run: ReportRun }): JSX.Element {
  const { mark, kind } = outcomeMark(run);
  return (
    <span class={kind}>
      <span aria-hidden="true">{mark} </span>
      <span class="word">{outcomeOf(run)}</span>
    </span>
  );
}
