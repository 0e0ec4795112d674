import { defineCommand, oneOf } from '../command/define-command.ts';
import {
  check,
  describeFindings,
  isAboveDocumented,
  type RowVerdict,
  verdictTable,
} from './check.ts';
import { LATENCY_TABLE, ROW_IDS, type RowId } from './latency-table.ts';
import { type MeasureRows, measureRows } from './measure-rows.ts';

export const command = defineCommand({
  description: `Measures rows of the latency table and compares them with their limits. Exit status 1 when a row is over its limit twice. A row that cannot be measured is reported and does not count as within its limit.

ROWS: ${ROW_IDS.join(', ')}`,
  operands: '[ROWS…]',
  async run(operands) {
    const ids = operands.map((word) => oneOf('ROWS', ROW_IDS, word));
    const startedAt = performance.now();
    const verdicts = await checkTwice(ids.length === 0 ? ROW_IDS : ids, measureRows);
    const isAbove = verdicts.some((verdict) =>
      isAboveDocumented(verdict, LATENCY_TABLE[verdict.id]),
    );
    const tally = (['within', 'over', 'not measured'] as const).map(
      (each) => `${verdicts.filter(({ verdict }) => verdict === each).length} ${each}`,
    );
    const seconds = ((performance.now() - startedAt) / 1000).toFixed(0);
    return {
      parts: [
        verdictTable(verdicts),
        isAbove
          ? '* more than documented; the check enforces the limit, see docs/benchmarks.md'
          : '',
        describeFindings(verdicts).join('\n'),
        `${tally.join(', ')}; ${seconds} s`,
      ],
      document: { verdicts },
      exitCode: verdicts.some(({ verdict }) => verdict === 'over') ? 1 : 0,
    };
  },
});

/**
 * Checks rows, and rows over their limit a second time, because other programs may disturb all
 * processes of a row for seconds.
 *
 * @returns The second verdict of each row that was checked twice.
 */
export async function checkTwice(
  ids: readonly RowId[],
  measure: MeasureRows,
): Promise<readonly RowVerdict[]> {
  const first = await check(ids, measure);
  const over = first.filter(({ verdict }) => verdict === 'over');
  if (over.length === 0) return first;
  console.log(`over at first, and checked again:\n${describeFindings(over).join('\n')}\n`);
  const overIds = over.map(({ id }) => id);
  const second = await check(overIds, measure);
  return first.map((verdict) => second.find(({ id }) => id === verdict.id) ?? verdict);
}
