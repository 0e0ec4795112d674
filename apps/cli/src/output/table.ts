import { fit, printable, widthOf, wrap } from './text.ts';

export interface Column {
  readonly heading: string;
  readonly align?: 'left' | 'right';
  /** Columns of the terminal that it takes; left out: as many as its widest cell. */
  readonly width?: number;
  /** Where a text that is too long is cut; an id is best known by both its ends. */
  readonly cut?: 'end' | 'middle';
  /** Takes what the others leave of {@link TableOptions.width}, over several lines. */
  readonly wraps?: boolean;
}

/** A text, and how it is coloured once it is cut and padded. */
export type Cell = string | { readonly text: string; readonly paint: (text: string) => string };

export interface TableOptions {
  /** How the line of headings is coloured; left out: there is none. */
  readonly head?: (text: string) => string;
  /** Blanks between two columns. Default 2. */
  readonly gap?: number;
  /** Columns of the terminal; left out: a table may be wider. */
  readonly width?: number;
}

/**
 * The table that every command prints: columns of text without borders, each row one line. Widths
 * are those of a terminal: two for a Chinese character or an emoji, none for an accent.
 *
 * @returns one line a row, or several for a cell that is wrapped, each with its line break.
 */
export function renderTable(
  columns: readonly Column[],
  rows: readonly (readonly Cell[])[],
  { head, gap = 2, width }: TableOptions = {},
): string {
  const headings = columns.map(({ heading }): Cell => {
    return { text: heading, paint: head ?? String };
  });
  const lines = head === undefined ? rows : [headings, ...rows];
  const natural = columns.map((column, index) => {
    const widest = (most: number, cells: readonly Cell[]) =>
      Math.max(most, widthOf(textOf(cells[index])));
    return column.width ?? lines.reduce(widest, 0);
  });
  const over = natural.reduce((sum, each) => sum + each + gap, -gap) - (width ?? Infinity);
  const widths = natural.map((each, index) => {
    return columns[index]?.wraps === true && over > 0 ? Math.max(NARROWEST, each - over) : each;
  });
  const blank = ' '.repeat(gap);
  return lines
    .flatMap((cells) => inLines(columns, cells, widths))
    .map((cells) => {
      const placed = columns.map((column, index) => {
        return place(cells[index] ?? '', column, widths[index] ?? 0, index === columns.length - 1);
      });
      return `${placed.join(blank).trimEnd()}\n`;
    })
    .join('');
}

/** A wrapped column is not narrower. */
const NARROWEST = 8;

/** A row, with as many more rows as its wrapped cells need. */
function inLines(
  columns: readonly Column[],
  cells: readonly Cell[],
  widths: readonly number[],
): readonly (readonly Cell[])[] {
  const parts = cells.map((cell, index): readonly Cell[] => {
    if (columns[index]?.wraps !== true) return [cell];
    const paint = typeof cell === 'string' ? undefined : cell.paint;
    return wrap(textOf(cell), widths[index] ?? 0).map((text) =>
      paint === undefined ? text : { text, paint },
    );
  });
  const height = Math.max(...parts.map(({ length }) => length));
  return Array.from({ length: height }, (_, line) => parts.map((part) => part[line] ?? ''));
}

function place(cell: Cell, column: Column, width: number, last: boolean): string {
  const text = fit(textOf(cell), width, column.cut);
  const padding = ' '.repeat(width - widthOf(text));
  const painted = typeof cell === 'string' ? isolated(text) : cell.paint(isolated(text));
  if (column.align === 'right') return padding + painted;
  return last ? painted : painted + padding;
}

/** Keeps text from right to left within its cell; some terminals reorder the cells beside it. */
function isolated(text: string): string {
  return /[\p{Script=Hebrew}\p{Script=Arabic}\p{Script=Syriac}\p{Script=Thaana}\p{Script=Nko}]/u.test(
    text,
  )
    ? `\u2068${text}\u2069`
    : text;
}

function textOf(cell: Cell | undefined): string {
  return printable(typeof cell === 'object' ? cell.text : (cell ?? ''));
}
