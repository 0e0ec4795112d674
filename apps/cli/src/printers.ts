import type { ScoreReport } from '@knowledgepulse/sdk';
import { stringify } from 'csv-stringify/sync';
import type { RunFields } from './fields.ts';
import { movedBy } from './moved-by.ts';
import { createScoreTable, outcomeOf } from './score-table.ts';
import type { ScoredRun } from './scoring.ts';
import type { Terminal } from './terminal.ts';
import { oneLine } from './text.ts';

/** Prints scored runs as they come. */
export interface ScorePrinter {
  add(scored: ScoredRun): Promise<void>;
  end(): Promise<void>;
}

export interface PrinterOptions {
  /** From here on a score is good enough; undefined when nobody said so. */
  readonly threshold: number | undefined;
  /** Whether the JSON has how long each score took, which differs from time to time. */
  readonly timings: boolean;
}

export type PrinterName = 'table' | 'json' | 'csv' | 'markdown';

export const PRINTERS: Readonly<
  Record<PrinterName, (terminal: Terminal, options: PrinterOptions) => ScorePrinter>
> = {
  table: createTablePrinter,
  json: createJsonPrinter,
  csv: createCsvPrinter,
  markdown: createMarkdownPrinter,
};

const ROWS_AT_ONCE = 100;

/** A table for a person, some rows at a time, so that any number of runs takes the same memory. */
function createTablePrinter(
  { output, colors }: Terminal,
  { threshold }: PrinterOptions,
): ScorePrinter {
  const table = createScoreTable(process.stdout, threshold, colors);
  let rows: ScoredRun[] = [];
  async function end(): Promise<void> {
    const full = rows;
    rows = [];
    if (full.length > 0) await output.write(table.render(full));
  }
  return {
    async add(scored) {
      rows.push(scored);
      if (rows.length === ROWS_AT_ONCE) await end();
    },
    end,
  };
}

/** One report a line, with what the run says of itself. The same bytes for the same input. */
function createJsonPrinter({ output }: Terminal, { timings }: PrinterOptions): ScorePrinter {
  return {
    add: (scored) => output.write(`${JSON.stringify(jsonRecord(scored, timings))}\n`),
    end: async () => undefined,
  };
}

/** What the JSON outputs say of a scored run. */
export function jsonRecord({ report, run, fields }: ScoredRun, timings: boolean): object {
  const { elapsedMs, withinBudget, ...derivation } = report;
  const times = timings ? { elapsedMs, withinBudget } : {};
  return { ...derivation, ...times, run: fields, provenance: run.provenance };
}

type Value = string | number | boolean | null;

/** The columns of tables that other programs read, and what a scored run has there. */
const CSV_COLUMNS: readonly (readonly [
  name: string,
  value: (report: ScoreReport, fields: RunFields) => Value,
])[] = [
  ['trace', (report) => report.traceId],
  ['score', (report) => report.score],
  ['profile', (report) => report.profile],
  ['complexity', (report) => report.dimensions.complexity],
  ['novelty', (report) => report.dimensions.novelty],
  ['tool_diversity', (report) => report.dimensions.toolDiversity],
  ['outcome_confidence', (report) => report.dimensions.outcomeConfidence],
  ['composite', (report) => report.composite],
  ['rules', (report) => report.overrides.map(({ rule }) => rule).join(' ')],
  ['novelty_source', (report) => report.novelty.source],
  ['nearest', (report) => report.novelty.nearest?.key ?? ''],
  ['similarity', (report) => report.novelty.nearest?.similarity ?? ''],
  ['objective', (_, { objective }) => objective],
  ['task', (_, { task }) => task],
  ['model', (_, { model }) => model],
  ['domain', (_, { domain }) => domain],
  ['success', (_, { success }) => success],
  ['success_from', (_, { successFrom }) => successFrom],
  ['grade', (_, { grade }) => grade],
  ['confidence', (_, { confidence }) => confidence],
  ['confidence_from', (_, { confidenceFrom }) => confidenceFrom],
  ['steps', (_, { steps }) => steps],
  ['calls', (_, { calls }) => calls],
  ['tools', (_, { tools }) => tools.join(' ')],
  ['format', (_, { format }) => format],
  ['file', (_, { file }) => file],
  ['line', (_, { line }) => line],
];

/**
 * Comma-separated values with a line of headings.
 *
 * @see RFC 4180, section 2.
 */
function createCsvPrinter({ output }: Terminal): ScorePrinter {
  let headed = false;
  const lineOf = (values: readonly Value[]): string =>
    stringify([values], { record_delimiter: '\r\n', cast: { boolean: String } });
  async function head(): Promise<void> {
    if (!headed) await output.write(lineOf(CSV_COLUMNS.map(([name]) => name)));
    headed = true;
  }
  return {
    async add({ report, fields }) {
      await head();
      await output.write(lineOf(CSV_COLUMNS.map(([, value]) => value(report, fields))));
    },
    end: head,
  };
}

const MARKDOWN_HEAD = `| score | C | N | D | O | outcome | objective | trace | what moved it |
|---:|---:|---:|---:|---:|---|---|---|---|
`;

/** The table as Markdown, for a comment or a page. */
function createMarkdownPrinter({ output }: Terminal): ScorePrinter {
  let headed = false;
  async function head(): Promise<void> {
    if (!headed) await output.write(MARKDOWN_HEAD);
    headed = true;
  }
  return {
    async add({ report, fields }) {
      await head();
      const { complexity, novelty, toolDiversity, outcomeConfidence } = report.dimensions;
      const numbers = [complexity, novelty, toolDiversity, outcomeConfidence];
      const texts = [outcomeOf(fields), fields.objective, report.traceId, movedBy(report)];
      const cells = [
        report.score.toFixed(3),
        ...numbers.map((value) => value.toFixed(2)),
        ...texts.map(escaped),
      ];
      await output.write(`| ${cells.join(' | ')} |\n`);
    },
    end: head,
  };
}

/** What would end a cell or start markup is taken as it is. */
function escaped(text: string): string {
  return oneLine(text).replace(/[\\|`*_<>[\]]/g, '\\$&');
}
