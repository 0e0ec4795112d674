import { movedBy } from '../moved-by.ts';
import { printable } from '../printable.ts';
import type { Terminal } from '../terminal.ts';
import type { ScorePrinter } from './printer.ts';

const HEAD = `| score | C | N | D | O | profile | trace | what moved it |
|---:|---:|---:|---:|---:|---|---|---|
`;

/** The table as Markdown, for a comment or a page. */
export function createMarkdownPrinter({ output }: Terminal): ScorePrinter {
  let headed = false;
  async function head(): Promise<void> {
    if (!headed) await output.write(HEAD);
    headed = true;
  }
  return {
    async add({ report }) {
      await head();
      const { complexity, novelty, toolDiversity, outcomeConfidence } = report.dimensions;
      const numbers = [complexity, novelty, toolDiversity, outcomeConfidence].map((value) =>
        value.toFixed(2),
      );
      const texts = [report.profile, report.traceId, movedBy(report)].map(escaped);
      await output.write(`| ${[report.score.toFixed(3), ...numbers, ...texts].join(' | ')} |\n`);
    },
    end: head,
  };
}

/** What would end a cell or start markup is taken as it is. */
function escaped(text: string): string {
  return printable(text).replace(/[\\|`*_<>[\]]/g, '\\$&');
}
