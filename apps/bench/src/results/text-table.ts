import Table from 'cli-table3';

/** Rows of text under a heading each; numbers are best set in columns that are `right`. */
export interface TextTable {
  readonly columns: readonly { readonly heading: string; readonly right?: boolean }[];
  readonly rows: readonly (readonly string[])[];
}

/** For a terminal: columns apart by spaces, no lines. */
export function renderTerminal({ columns, rows }: TextTable): string {
  const table = new Table({
    head: columns.map(({ heading }) => heading),
    colAligns: columns.map(({ right }) => (right === true ? 'right' : 'left')),
    style: { head: [], border: [], 'padding-left': 0, 'padding-right': 2 },
    chars: NO_LINES,
  });
  for (const row of rows) table.push([...row]);
  return table
    .toString()
    .split('\n')
    .map((line) => line.trimEnd())
    .join('\n');
}

/** For a page or a comment on a pull request. */
export function renderMarkdown({ columns, rows }: TextTable): string {
  const line = (cells: readonly string[]): string =>
    `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`;
  return [
    line(columns.map(({ heading }) => heading)),
    line(columns.map(({ right }) => (right === true ? '---:' : '---'))),
    ...rows.map(line),
  ].join('\n');
}

const NO_LINES = Object.fromEntries(
  ['top', 'bottom', 'left', 'right', 'mid']
    .flatMap((place) => [place, `${place}-mid`, `${place}-left`, `${place}-right`])
    .concat('middle')
    .map((place) => [place, '']),
);
