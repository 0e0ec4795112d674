import type { Terminal } from '../terminal.ts';
import { COLUMNS } from './columns.ts';
import type { ScorePrinter } from './printer.ts';

/**
 * Comma-separated values with a line of headings.
 *
 * @see RFC 4180, section 2.
 */
export function createCsvPrinter({ output }: Terminal): ScorePrinter {
  let headed = false;
  async function head(): Promise<void> {
    if (!headed) await output.write(lineOf(COLUMNS.map(([name]) => name)));
    headed = true;
  }
  return {
    async add(scored) {
      await head();
      await output.write(lineOf(COLUMNS.map(([, value]) => value(scored))));
    },
    end: head,
  };
}

function lineOf(fields: readonly string[]): string {
  return `${fields.map(quoted).join(',')}\r\n`;
}

function quoted(field: string): string {
  return /[",\r\n]/.test(field) ? `"${field.replaceAll('"', '""')}"` : field;
}
