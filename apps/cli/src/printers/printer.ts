import type { ScoredTrace } from '../score-stream.ts';
import type { Terminal } from '../terminal.ts';
import { createCsvPrinter } from './csv.ts';
import { createJsonPrinter } from './json.ts';
import { createMarkdownPrinter } from './markdown.ts';
import { createTablePrinter } from './table.ts';

/** Prints scored traces as they come. */
export interface ScorePrinter {
  add(scored: ScoredTrace): Promise<void>;
  end(): Promise<void>;
}

export type PrinterName = 'table' | 'json' | 'csv' | 'markdown';

export function createPrinter(
  name: PrinterName,
  terminal: Terminal,
  threshold: number,
): ScorePrinter {
  switch (name) {
    case 'json':
      return createJsonPrinter(terminal);
    case 'csv':
      return createCsvPrinter(terminal);
    case 'markdown':
      return createMarkdownPrinter(terminal);
    case 'table':
      return createTablePrinter(terminal, threshold);
  }
}
