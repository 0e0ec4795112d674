import type { Terminal } from '../terminal.ts';
import type { ScorePrinter } from './printer.ts';

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
