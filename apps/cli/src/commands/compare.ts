import type { Command } from 'commander';
import {
  type Comparison,
  compareTasks,
  createTaskTable,
  type TaskTable,
  type UnmatchedRuns,
} from '../comparison.ts';
import { conflict } from '../errors.ts';
import { EXIT, type ExitStatus, worstStatus } from '../exit.ts';
import { openRuns } from '../open-runs.ts';
import { addInputOptions, type InputFlags, parseShare } from '../options.ts';
import { createOutput } from '../output.ts';
import { addScorerOptions, createChosenScorer, type ScorerFlags, scoreRuns } from '../scoring.ts';
import { type Column, renderTable } from '../table.ts';
import { type Colors, colorsFor, columnsOf } from '../terminal.ts';
import { count, fit, oneLine, signed } from '../text.ts';

export interface CompareFlags extends InputFlags, ScorerFlags {
  readonly json?: boolean;
  readonly maxLoss?: number;
  readonly concurrency?: number;
  readonly quiet?: boolean;
}

export function addCompareCommand(program: Command): void {
  const command = program
    .command('compare')
    .summary('compare two sets of runs on the same tasks')
    .description('Compares two sets of runs task by task: wins, losses, ties, the mean difference.')
    .argument('<base>', 'the runs to compare with: a file or a folder')
    .argument('<files...>', 'the new runs: files, folders, or - for standard input')
    .option('--json', 'the comparison as JSON')
    .option(
      '--max-loss <number>',
      'exit with 1 when the mean score falls by more than this, or no task is in both',
      parseShare,
    )
    .option('-q, --quiet', 'no progress');
  addScorerOptions(command);
  addInputOptions(command);
  command.addHelpText(
    'after',
    `
Each set is scored by itself, and the runs of one task count as their mean. A task is known by
the name that the recording gives it, else by its objective.

Examples:
  kp compare base/ new/
  kp compare --max-loss 0.02 base.jsonl new.jsonl     for a gate
  kp compare --json base/ new/ | jq .meanDifference`,
  );
  command.action(async (base: string, files: string[], flags: CompareFlags) => {
    process.exitCode = await compareRuns([base], files, flags);
  });
}

/** @returns the exit status. */
export async function compareRuns(
  baseFiles: readonly string[],
  newFiles: readonly string[],
  flags: CompareFlags,
): Promise<ExitStatus> {
  if (flags.memory !== undefined) {
    throw conflict('--memory', 'a comparison', 'each set is scored by itself');
  }
  const base = await readTasks(baseFiles, flags);
  if (base.status === EXIT.interrupted) return base.status;
  const next = await readTasks(newFiles, flags);
  if (next.status === EXIT.interrupted) return next.status;
  const comparison = compareTasks(base.tasks, next.tasks);
  const output = createOutput(process.stdout);
  if (flags.json === true) await output.json(comparison);
  else {
    const colors = colorsFor(process.stdout);
    await output.print(renderComparison(comparison, columnsOf(process.stdout), colors));
  }
  const { maxLoss } = flags;
  const lost = maxLoss !== undefined && !((comparison.meanDifference ?? -Infinity) >= -maxLoss);
  return worstStatus([base.status, next.status, lost ? EXIT.no : EXIT.done]);
}

/** Each set has a scorer of its own: else every run of the second would resemble the first. */
async function readTasks(
  files: readonly string[],
  flags: CompareFlags,
): Promise<{ tasks: TaskTable; status: ExitStatus }> {
  const { scorer, close: closeScorer } = await createChosenScorer(flags);
  const opened = await openRuns(files, flags, 'scoring');
  const tasks = createTaskTable();
  for await (const scored of scoreRuns(scorer, opened, flags.concurrency)) tasks.add(scored);
  await closeScorer();
  const status = opened.close();
  const { message } = opened.terminal.progress;
  if (status === EXIT.interrupted) message('interrupted: nothing was compared');
  else if (flags.quiet !== true) opened.notes().forEach(message);
  return { tasks, status };
}

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

function renderComparison(comparison: Comparison, width: number, colors: Colors): string {
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
    result,
    `${base.runs} → ${next.runs}`,
    ...(named ? [oneLine(task ?? '')] : []),
    oneLine(objective),
  ]);
  const table = rows.length === 0 ? '' : renderTable(columns, rows, { head: colors.dim, gap: GAP });
  return `${table}${summaryLines(comparison, colors)
    .map((line) => `${line}\n`)
    .join('')}`;
}

function summaryLines(comparison: Comparison, colors: Colors): readonly string[] {
  const { tasks, wins, losses, ties, meanDifference, interval, passed } = comparison;
  const lines = [''];
  if (meanDifference === null) {
    lines.push(colors.bold('no task is in both sets'));
  } else {
    lines.push(
      `${colors.bold(count(tasks.length, 'task'))} in both   ${count(wins, 'win')}, ` +
        `${count(losses, 'loss', 'losses')}, ${count(ties, 'tie')}`,
      `${colors.bold(`mean ${signed(meanDifference, 3)}`)}   ${intervalText(interval)}`,
    );
  }
  if (passed !== null) {
    const share = (value: number): string => `${(value * 100).toFixed(1)} %`;
    lines.push(
      `passed ${share(passed.base)} → ${share(passed.new)} on the ${count(passed.tasks, 'task')} with verdicts in both`,
    );
  }
  lines.push(
    ...unmatchedText('base', comparison.unmatched.base),
    ...unmatchedText('new', comparison.unmatched.new),
  );
  return lines;
}

function intervalText(interval: Comparison['interval']): string {
  if (interval === null) return 'one task says nothing of how sure that is';
  const { low, high } = interval;
  if (low === 0 && high === 0) return 'no difference on any task';
  const sure = low > 0 ? 'better' : high < 0 ? 'worse' : 'could be chance';
  return `95 % of resamplings by task between ${signed(low, 3)} and ${signed(high, 3)}: ${sure}`;
}

const NAME_WIDTH = 40;

function unmatchedText(set: string, { runs, tasks, first }: UnmatchedRuns): readonly string[] {
  if (runs === 0) return [];
  const names = first.map((name) => fit(oneLine(name), NAME_WIDTH)).join('; ');
  const more = tasks > first.length ? '; …' : '';
  return [`only in ${set}: ${count(runs, 'run')} of ${count(tasks, 'task')} (${names}${more})`];
}
