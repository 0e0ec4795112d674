import type { ScoredTrace } from '../score-stream.ts';
import type { Terminal } from '../terminal.ts';
import type { ScorePrinter } from './printer.ts';
import { createScoreTable } from './table-rows.ts';

const ROWS_AT_ONCE = 100;

/** A table for a person, some rows at a time, so that any number of traces takes the same memory. */
export function createTablePrinter({ output, colors }: Terminal, threshold: number): ScorePrinter {
  const table = createScoreTable(process.stdout.columns, threshold, colors);
  let rows: ScoredTrace['report'][] = [];
  async function end(): Promise<void> {
    const full = rows;
    rows = [];
    if (full.length > 0) await output.write(table.render(full));
  }
  return {
    async add({ report }) {
      rows.push(report);
      if (rows.length === ROWS_AT_ONCE) await end();
    },
    end,
  };
}
