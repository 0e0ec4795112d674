import { fit, printable, widthOf } from './text.ts';

export interface Column {
  readonly heading: string;
  readonly align?: 'left' | 'right';
  /** Columns of the terminal that it takes; left out: as many as its widest cell. */
  readonly width?: number;
  /** Where a text that is too long is cut; an id is best known by both its ends. */
  readonly cut?: 'end' | 'middle';
}

/** A text, and how it is coloured once it is cut and padded. */
export type Cell = string | { readonly text: string; readonly paint: (text: string) => string };

export interface TableOptions {
  /** How the line of headings is coloured; left out: there is none. */
  readonly head?: (text: string) => string;
  /** Blanks between two columns. Default 2. */
  readonly gap?: number;
}

/**
 * The table that every command prints: columns of text without borders, each row one line. Widths
 * are those of a terminal: two for a Chinese character or an emoji, none for an accent.
 *
 * @returns one line a row, each with its line break.
 */
export function renderTable(
  columns: readonly Column[],
  rows: readonly (readonly Cell[])[],
  { head, gap = 2 }: TableOptions = {},
): string {
  const headings = columns.map(({ heading }): Cell => {
    return { text: heading, paint: head ?? String };
  });
  const lines = head === undefined ? rows : [headings, ...rows];
  const widths = columns.map(({ width }, index) => {
    return width ?? lines.reduce((most, cells) => Math.max(most, widthOf(textOf(cells[index]))), 0);
  });
  const blank = ' '.repeat(gap);
  return lines
    .map((cells) => {
      const placed = columns.map((column, index) => {
        return place(cells[index] ?? '', column, widths[index] ?? 0, index === columns.length - 1);
      });
      return `${placed.join(blank).trimEnd()}\n`;
    })
    .join('');
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
