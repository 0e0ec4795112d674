import { cpus } from 'node:os';
import { setTimeout } from 'node:timers/promises';
import { defineCommand, oneOf } from '../command/define-command.ts';
import { formatPercent } from '../results/tables.ts';
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
  description: `Measures rows of the latency table and compares them with their limits. Exit status 1 when a row is over its limit twice. A row that cannot be measured is reported and does not count as within.

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

// Models use one thread per CPU and finish with the slowest; the reference loop uses one thread.
const ON_ALL_PROCESSORS: ReadonlySet<RowId> = new Set([
  'evaluation-transformers',
  'embedding-transformers',
]);
const MOST_OF_OTHERS = 0.5;

/**
 * Checks rows, and rows over their limit a second time, because other programs may disturb all
 * processes of a row for seconds. A row that needs all CPUs is not judged while other programs use
 * most of them.
 *
 * @param othersShare - share of the CPUs used by other programs while nothing is measured, 0 to 1.
 * @returns The second verdict of each row that was checked twice.
 */
export async function checkTwice(
  ids: readonly RowId[],
  measure: MeasureRows,
  othersShare: () => Promise<number> = shareInUse,
): Promise<readonly RowVerdict[]> {
  const first = await check(ids, measure);
  const over = first.filter(({ verdict }) => verdict === 'over');
  if (over.length === 0) return first;
  console.log(`over at first, and checked again:\n${describeFindings(over).join('\n')}\n`);
  const before = await othersShare();
  const overIds = over.map(({ id }) => id);
  const second = await check(overIds, measure);
  const share = Math.min(before, await othersShare());
  return first.map((verdict) => {
    const again = second.find(({ id }) => id === verdict.id) ?? verdict;
    const { id, attempts } = again;
    const isJudged = share <= MOST_OF_OTHERS || !ON_ALL_PROCESSORS.has(id);
    if (again.verdict !== 'over' || isJudged) return again;
    const reason = `other programs used ${formatPercent(share)} of the processors, and this row needs all of them`;
    return { id, verdict: 'not measured', attempts, reason };
  });
}

const LOOK_MS = 500;

/** Measures the share of the CPUs in use while this process waits. */
async function shareInUse(): Promise<number> {
  const before = processorTimes();
  await setTimeout(LOOK_MS);
  const after = processorTimes();
  return 1 - (after.idle - before.idle) / (after.all - before.all);
}

function processorTimes(): { readonly idle: number; readonly all: number } {
  const times = cpus().map((cpu) => cpu.times);
  const idle = times.reduce((sum, each) => sum + each.idle, 0);
  const all = times.flatMap((each) => Object.values(each)).reduce((sum, time) => sum + time, 0);
  return { idle, all };
}
