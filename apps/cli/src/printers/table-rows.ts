import type { ScoreReport } from '@knowledgepulse/sdk';
import Table from 'cli-table3';
import type { Colors } from '../colors.ts';
import { movedBy } from '../moved-by.ts';
import { PLAIN_BORDERS, withoutPadding } from '../plain-borders.ts';
import { printable } from '../printable.ts';

/** Prints scores as rows of one table, without having to hold them all. */
export interface ScoreTable {
  /** The table's next lines, with its heading before the first; ends in a line break. */
  render(reports: readonly ScoreReport[]): string;
}

const HEADINGS = ['score', 'C', 'N', 'D', 'O', 'profile', 'trace', 'what moved it'];
const NUMBER_WIDTH = 5;
const PROFILE_WIDTH = 17;
const NARROWEST = 80;
const WIDEST = 170;
const WITHOUT_TERMINAL = 140;
const LEGEND = 'C complexity · N novelty · D tool diversity · O outcome confidence';
const ID_PREFIX = /^kp:trace:/;

/**
 * @param columns - width of the terminal, undefined without one; the trace and what moved it share what the numbers leave.
 */
export function createScoreTable(
  columns: number | undefined,
  threshold: number,
  colors: Colors,
): ScoreTable {
  const width = Math.min(WIDEST, Math.max(NARROWEST, columns ?? WITHOUT_TERMINAL));
  const rest = width - 5 * NUMBER_WIDTH - 1 - PROFILE_WIDTH;
  const traceWidth = Math.floor(rest * 0.45);
  const colWidths = [
    NUMBER_WIDTH + 1,
    ...new Array<number>(4).fill(NUMBER_WIDTH),
    PROFILE_WIDTH,
    traceWidth,
    rest - traceWidth,
  ];
  let headed = false;
  return {
    render(reports) {
      const table = new Table({
        colWidths,
        chars: PLAIN_BORDERS,
        style: { 'padding-left': 0, 'padding-right': 1, head: [], border: [] },
      });
      const legend = headed ? '' : `${colors.dim(LEGEND)}\n\n`;
      if (!headed) table.push(HEADINGS.map((heading) => colors.dim(heading)));
      headed = true;
      for (const report of reports) table.push(row(report, threshold, colors));
      return `${legend}${withoutPadding(table)}\n`;
    },
  };
}

function row(report: ScoreReport, threshold: number, colors: Colors): string[] {
  const { complexity, novelty, toolDiversity, outcomeConfidence } = report.dimensions;
  const score = report.score.toFixed(3);
  return [
    report.score >= threshold ? colors.green(score) : colors.yellow(score),
    ...[complexity, novelty, toolDiversity, outcomeConfidence].map((value) => value.toFixed(2)),
    report.profile,
    printable(report.traceId.replace(ID_PREFIX, '')),
    printable(movedBy(report)),
  ];
}
