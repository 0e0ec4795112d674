import { cpus, loadavg } from 'node:os';

/** Rows of text under headings; columns of numbers are aligned to the right. */
export interface TextTable {
  readonly columns: readonly { readonly heading: string; readonly right?: boolean }[];
  readonly rows: readonly (readonly string[])[];
}

/** Renders a table for a terminal, with columns separated by spaces. */
export function renderTerminal({ columns, rows }: TextTable): string {
  const lines = [columns.map(({ heading }) => heading), ...rows];
  const widths = columns.map((_, at) => Math.max(...lines.map((line) => line[at]?.length ?? 0)));
  return lines
    .map((line) => {
      const cells = columns.map(({ right }, at) => {
        const [cell = '', width = 0] = [line[at], widths[at]];
        return right === true ? cell.padStart(width) : cell.padEnd(width);
      });
      return cells.join('  ').trimEnd();
    })
    .join('\n');
}

/** Renders a table for a page or a pull request comment. */
export function renderMarkdown({ columns, rows }: TextTable): string {
  const line = (cells: readonly string[]): string =>
    `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`;
  return [
    line(columns.map(({ heading }) => heading)),
    line(columns.map(({ right }) => (right === true ? '---:' : '---'))),
    ...rows.map(line),
  ].join('\n');
}

/** Defines columns: text first, then numbers. */
export function columnsOf(headings: readonly string[], texts: number = 1): TextTable['columns'] {
  return headings.map((heading, at) => ({ heading, right: at >= texts }));
}

/** Formats nanoseconds with three digits and a suitable unit. */
export function formatNanoseconds(nanoseconds: number): string {
  const size = Math.abs(nanoseconds);
  if (size < 1e3) return `${threeDigits(nanoseconds)} ns`;
  if (size < 1e6) return `${threeDigits(nanoseconds / 1e3)} µs`;
  return size < 1e9
    ? `${threeDigits(nanoseconds / 1e6)} ms`
    : `${threeDigits(nanoseconds / 1e9)} s`;
}

export function formatBytes(bytes: number): string {
  if (Math.abs(bytes) < 10_000) return `${Math.round(bytes)} B`;
  if (Math.abs(bytes) < 1e6) return `${threeDigits(bytes / 1e3)} kB`;
  return `${threeDigits(bytes / 1e6)} MB`;
}

/** Formats a number with fixed digits; `–` for NaN, which marks an unknown value. */
export function formatDecimal(value: number, digits: number = 2): string {
  return Number.isNaN(value) ? '–' : value.toFixed(digits);
}

function threeDigits(value: number): string {
  const digits = Math.max(0, 2 - Math.floor(Math.log10(Math.max(Math.abs(value), 1e-2))));
  return value.toFixed(Math.min(2, digits));
}

/** Describes CPU, cores, load and runtime on one line, as context for measurements. */
export function describeMachine(): string {
  const cores = cpus();
  const model = cores[0]?.model.trim() ?? 'an unknown processor';
  const load = loadavg()[0]?.toFixed(1) ?? '?';
  return `${cores.length} cores of ${model}, load ${load}, ${describeRuntime()}`;
}

/** Returns name and version of the runtime. */
export function describeRuntime(): string {
  const { bun, node } = process.versions;
  return bun === undefined ? `Node ${node}` : `Bun ${bun}`;
}
