import type { ScoredTrace } from './score-stream.ts';
import { createScoreTable } from './score-table.ts';
import type { Terminal } from './terminal.ts';

/** Prints scored traces as they come. */
export interface ScorePrinter {
  add(scored: ScoredTrace): Promise<void>;
  end(): Promise<void>;
}

const ROWS_AT_ONCE = 100;

/** One report a line, with where the trace comes from. */
export function createJsonPrinter({ output }: Terminal): ScorePrinter {
  return {
    add({ report, source: { file, line, format, provenance } }) {
      const record = { ...report, source: { file, line, format }, provenance };
      return output.write(`${JSON.stringify(record)}\n`);
    },
    end: async () => undefined,
  };
}

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
