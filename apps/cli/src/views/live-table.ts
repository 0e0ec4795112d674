import type { Colors } from '../output/colors.ts';
import { type Cell, type Column, renderTable } from '../output/table.ts';

/** What a live table needs of a terminal. */
export interface LiveScreen {
  readonly columns?: number;
  readonly rows?: number;
  write(text: string): unknown;
}

/** A table on a terminal that is drawn again in its place when a row changes. */
export interface LiveTable {
  /** Puts a row at the end, or moves it there with its new cells. */
  update(key: string, cells: readonly Cell[]): void;
  /** Prints lines above the table. */
  print(text: string): void;
  /** Draws the table again, as after a change of the size of the terminal. */
  redraw(): void;
}

/** Rows of a terminal whose size is not known. */
const USUAL_ROWS = 24;
/** The heading, and the line with the cursor. */
const OTHER_LINES = 2;

/**
 * @param columnsFor - the columns of a table in a terminal of that width.
 */
export function createLiveTable(
  screen: LiveScreen,
  columnsFor: (width: number) => readonly Column[],
  { dim }: Colors,
  widthOf: (screen: LiveScreen) => number,
): LiveTable {
  const rows = new Map<string, readonly Cell[]>();
  let drawn = 0;
  /** Moves to the first line of the table and clears what follows. */
  const clear = (): string => (drawn === 0 ? '' : `\u001b[${drawn}A\u001b[0J`);
  const room = (): number => Math.max(1, (screen.rows ?? USUAL_ROWS) - OTHER_LINES);
  function draw(above: string): void {
    const shown = [...rows.values()].slice(-room());
    const table =
      shown.length === 0 ? '' : renderTable(columnsFor(widthOf(screen)), shown, { head: dim });
    screen.write(clear() + above + table);
    drawn = table.split('\n').length - 1;
  }
  return {
    update(key, cells) {
      rows.delete(key);
      rows.set(key, cells);
      // What is no longer shown need not be kept.
      for (const old of [...rows.keys()].slice(0, -room())) rows.delete(old);
      draw('');
    },
    print: (text) => draw(text.endsWith('\n') ? text : `${text}\n`),
    redraw: () => draw(''),
  };
}
