import type { Comparison, SetFacts, UnmatchedRuns } from '@kp/curation';
import type { Colors } from '../output/colors.ts';
import { type Column, renderTable } from '../output/table.ts';
import { textWidthOf } from '../output/terminal.ts';
import { count, fit, oneLine, percent, signed, wrapAll } from '../output/text.ts';

const NUMBERS: readonly (Column & { readonly width: number })[] = [
  { heading: 'change', width: 6 },
  { heading: 'base', width: 5 },
  { heading: 'new', width: 5 },
  { heading: '', width: 4 },
  { heading: 'runs', width: 9 },
];
const GAP = 2;
const WITH_TASK = 76;
const TASK_WIDTH = 20;

/** Renders the tasks of a comparison as a table, and below it what changed overall. */
export function renderComparison(comparison: Comparison, width: number, colors: Colors): string {
  const used = NUMBERS.reduce((sum, column) => sum + column.width + GAP, 0);
  const named = width >= WITH_TASK && comparison.tasks.some(({ task }) => task !== null);
  const room = width - used - (named ? TASK_WIDTH + GAP : 0);
  const columns: Column[] = [...NUMBERS];
  if (named) columns.push({ heading: 'task', width: TASK_WIDTH, cut: 'middle' });
  columns.push({ heading: 'objective', width: room });
  const rows = comparison.tasks.map(({ task, objective, base, new: next, difference, result }) => [
    signed(difference, 3),
    base.score.toFixed(3),
    next.score.toFixed(3),
    { text: result, paint: colorOf(result, colors) },
    `${base.runs} → ${next.runs}`,
    ...(named ? [oneLine(task ?? '')] : []),
    oneLine(objective),
  ]);
  const table = rows.length === 0 ? '' : renderTable(columns, rows, { head: colors.dim, gap: GAP });
  return `${table}${wrapAll(summaryLines(comparison, colors), textWidthOf(process.stdout)).join('\n')}\n`;
}

function summaryLines(comparison: Comparison, colors: Colors): readonly string[] {
  const { tasks, wins, losses, ties, meanDifference, passed, sets } = comparison;
  const lines = [''];
  if (meanDifference === null) lines.push(colors.bold('no task has runs in both sets'));
  else {
    lines.push(
      `${colors.bold(count(tasks.length, 'task'))} in both   ${colors.green(count(wins, 'win'))}, ` +
        `${colors.red(count(losses, 'loss', 'losses'))}, ${count(ties, 'tie')}`,
      `${colors.bold(`mean ${signed(meanDifference, 3)}`)}   ${intervalText(comparison)}`,
      'scores count every run as new (novelty 1), so they do not depend on the number of runs',
    );
  }
  if (passed !== null) {
    lines.push(
      `pass rate ${percent(passed.base)} → ${percent(passed.new)} on the ${count(passed.tasks, 'task')} with verdicts in both sets`,
    );
  }
  if (sets.base.crashed + sets.new.crashed > 0) {
    const crashed = [sets.base, sets.new].map((set) => shareText(set.crashed, set));
    lines.push(`crashed ${crashed.join(' → ')}, counted as failed with score 0`);
  }
  if (withoutVerdict(sets.base) + withoutVerdict(sets.new) > 0) {
    const missing = [sets.base, sets.new].map((set) => shareText(withoutVerdict(set), set));
    lines.push(
      `without a verdict ${missing.join(' → ')}, counted as succeeded (--assume-failure counts them as failed)`,
    );
  }
  const crashedOut = comparison.missing.filter(({ reason }) => reason === 'crashed');
  if (crashedOut.length > 0) {
    const names = crashedOut.slice(0, NAMED).map(({ task, objective }) => task ?? objective);
    lines.push(
      `every new run crashed: ${count(crashedOut.length, 'task')} (${namesText(names, crashedOut.length)})`,
    );
  }
  return [
    ...lines,
    ...unmatchedText('base', comparison.unmatched.base),
    ...unmatchedText('new', comparison.unmatched.new),
  ];
}

function colorOf(result: string, colors: Colors): (text: string) => string {
  if (result === 'tie') return String;
  return result === 'win' ? colors.green : colors.red;
}

function withoutVerdict({ runs, verdicts }: SetFacts): number {
  return runs - verdicts;
}

function shareText(part: number, { runs }: SetFacts): string {
  return `${part} of ${count(runs, 'run')}`;
}

function intervalText({ tasks, ties, interval }: Comparison): string {
  if (ties === tasks.length) return 'the same score on every task';
  if (interval === null) return 'too few tasks to tell: a 95 % interval needs at least 6';
  const { low, high } = interval;
  const sure = low > 0 ? 'better' : high < 0 ? 'worse' : 'could be chance';
  return `95 % interval ${signed(low, 3)} to ${signed(high, 3)} (by task): ${sure}`;
}

const NAMED = 3;
const NAME_WIDTH = 40;

function unmatchedText(set: string, { runs, tasks, first }: UnmatchedRuns): readonly string[] {
  if (runs === 0) return [];
  return [
    `only in ${set}: ${count(runs, 'run')} of ${count(tasks, 'task')} (${namesText(first, tasks)})`,
  ];
}

function namesText(names: readonly string[], amount: number): string {
  const shown = names.map((name) => fit(oneLine(name), NAME_WIDTH)).join('; ');
  return amount > names.length ? `${shown}; …` : shown;
}
