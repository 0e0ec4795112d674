import type { Comparison, SetFacts, UnmatchedRuns } from '@kp/curation';
import { type Command, InvalidArgumentError, Option } from 'commander';
import { type Colors, colorsFor } from '../output/colors.ts';
import { conflict, wrongUse } from '../output/errors.ts';
import { EXIT, type ExitStatus, worstStatus } from '../output/exit.ts';
import { addHelp } from '../output/help.ts';
import { createOutput } from '../output/output.ts';
import { addReporterOption, type Reporter, renderChecks } from '../output/reporters.ts';
import { OUTPUT_SCHEMA } from '../output/summary.ts';
import { type Column, renderTable } from '../output/table.ts';
import { columnsOf, say, textWidthOf } from '../output/terminal.ts';
import { count, fit, oneLine, percent, signed, wrapAll } from '../output/text.ts';
import { openRuns } from '../runs/open-runs.ts';
import { addInputOptions, type InputFlags, parseShare } from '../runs/options.ts';
import type { CrashedRun, RefusedRun } from '../runs/run.ts';
import { addGroupOption, type GroupFlags, groupNotes } from '../runs/task-groups.ts';
import { compareSets, createRunSet, type RunSet } from '../scoring/comparison.ts';
import { type GateFlags, type GateResult, gateChecks, isGate, judgeGate } from '../scoring/gate.ts';
import {
  type CalledRuns,
  compareWithReference,
  createCalledRuns,
  MATCH_MODES,
  type ReferenceComparison,
  type ReferenceFlags,
} from '../scoring/reference-match.ts';
import {
  addScorerOptions,
  createChosenScorer,
  type ScorerFlags,
  scoreRuns,
} from '../scoring/scoring.ts';
import { crashedRecord, refusedCheck } from '../views/printers.ts';
import { renderReference } from '../views/reference-table.ts';

export interface CompareFlags
  extends InputFlags,
    ScorerFlags,
    GateFlags,
    GroupFlags,
    ReferenceFlags {
  readonly json?: boolean;
  readonly concurrency?: number;
  readonly reporter?: Reporter;
  readonly quiet?: boolean;
}

export function addCompareCommand(program: Command): void {
  const command = program
    .command('compare')
    .description('Compares two sets of runs task by task: wins, losses and the mean change.')
    .argument('<base>', 'the old runs: a file or a folder')
    .argument('<files...>', 'the new runs: files, folders, or - (standard input)')
    .option('--json', 'print the comparison as JSON')
    .option('-q, --quiet', 'print no progress')
    .optionsGroup('Compare with reference runs:')
    .option('--reference', 'also compare tool calls: the base runs are correct')
    .addOption(
      new Option(
        '--match <mode>',
        'calls that match: strict (default), unordered, subset or superset',
      ).choices(MATCH_MODES),
    )
    .option('--ignore-input', 'compare only the names of tools, not their input')
    .optionsGroup('Fail with exit status 1 (for CI):')
    .option('--max-loss <number>', 'if the mean score falls by more', parseShare)
    .option(
      '--max-missing <count>',
      'if more base tasks have no new score (default: 0)',
      parseNumber,
    )
    .option('--min-pass-rate <share>', 'if a smaller share of the new runs passed', parseShare)
    .option(
      '--min-match <share>',
      'with --reference: if a smaller share of runs matches',
      parseShare,
    );
  addReporterOption(command);
  addGroupOption(command.optionsGroup('Other options:'));
  addScorerOptions(command);
  addInputOptions(command);
  addHelp(command, {
    examples: [
      ['kp compare base/ new/', 'compare two versions of an agent'],
      ['kp compare --max-loss 0.02 base/ new/', 'fail if the mean falls by more'],
      ['kp compare --reference golden/ new/', 'compare tool calls'],
      ['kp compare --reporter junit --max-loss 0.02 base/ new/', 'write JUnit XML'],
      ['kp compare --json base/ new/ | jq .meanDifference', 'use the result in a script'],
    ],
    notes: [
      'kp scores each set separately. The runs of one task count as their mean. A run that crashed before its first step has no score, but counts as failed in the pass rate.',
      '--match strict: the same calls in the same order (parallel calls in any order); unordered: the same calls; subset: no other calls; superset: at least the calls of the reference.',
    ],
    no: 'a limit of --max-loss, --max-missing, --min-pass-rate or --min-match was exceeded',
  });
  command.action(async (base: string, files: string[], flags: CompareFlags) => {
    process.exitCode = await compareRuns([base], files, flags);
  });
}

/** @returns The exit status. */
export async function compareRuns(
  baseFiles: readonly string[],
  newFiles: readonly string[],
  flags: CompareFlags,
): Promise<ExitStatus> {
  if (flags.reporter !== undefined && !isGate(flags)) {
    const options = '--max-loss, --max-missing, --min-pass-rate or --min-match';
    throw wrongUse('--reporter', options, 'none');
  }
  if (flags.memory !== undefined) {
    throw conflict('--memory', 'a comparison', 'each set is scored separately');
  }
  refuseWithoutReference(flags);
  const base = await readSet(baseFiles, flags);
  if (base.status === EXIT.interrupted) return base.status;
  const next = await readSet(newFiles, flags);
  if (next.status === EXIT.interrupted) return next.status;
  const comparison = compareSets(base.set, next.set, flags.groupBy);
  const reference =
    flags.reference === true
      ? compareWithReference(base.called, next.called, flags, flags.groupBy)
      : undefined;
  const gate = judgeGate(comparison, flags, reference);
  const output = createOutput(process.stdout);
  if (flags.json === true) {
    await output.json(comparisonRecord(comparison, reference, gate, base, next));
  } else if (flags.reporter !== undefined) {
    const refused = [...base.refused, ...next.refused].map(refusedCheck);
    const checks = [...gateChecks(comparison, flags, reference), ...refused];
    await output.print(renderChecks(flags.reporter, 'kp compare', checks));
  } else {
    const colors = colorsFor(process.stdout);
    const width = columnsOf(process.stdout);
    await output.print(renderComparison(comparison, width, colors));
    if (reference !== undefined) await output.print(renderReference(reference, width, colors));
  }
  if (flags.quiet !== true) for (const note of groupNotes(comparison)) say(note);
  for (const failure of gate?.failures ?? []) say(`gate failed: ${failure}`);
  return worstStatus([base.status, next.status, gate?.passed === false ? EXIT.no : EXIT.done]);
}

function refuseWithoutReference(flags: CompareFlags): void {
  if (flags.reference === true) return;
  const { match, ignoreInput, minMatch } = flags;
  const given = { '--match': match, '--ignore-input': ignoreInput, '--min-match': minMatch };
  for (const [option, value] of Object.entries(given)) {
    if (value !== undefined) throw wrongUse(option, '--reference', 'none');
  }
}

interface ReadSet {
  readonly set: RunSet;
  /** The tool calls of the runs; empty without `--reference`. */
  readonly called: CalledRuns;
  readonly crashed: readonly CrashedRun[];
  readonly refused: readonly RefusedRun[];
  readonly status: ExitStatus;
}

/**
 * Reads one set. Each set has its own scorer; otherwise the new runs would resemble those of the
 * base.
 */
async function readSet(files: readonly string[], flags: CompareFlags): Promise<ReadSet> {
  const { scorer, close: closeScorer } = await createChosenScorer(flags);
  const opened = await openRuns(files, flags, 'scoring');
  const set = createRunSet();
  const called = createCalledRuns();
  const isReference = flags.reference === true;
  for await (const scored of scoreRuns(scorer, opened, flags.concurrency)) {
    set.add(scored);
    if (isReference) called.add(scored.run, scored.fields);
  }
  const crashed = opened.crashed();
  for (const run of crashed) {
    set.addCrashed(run);
    if (isReference) called.addCrashed(run);
  }
  await closeScorer();
  const status = opened.close();
  const { message } = opened.terminal.progress;
  if (status === EXIT.interrupted) message('interrupted: nothing was compared');
  else if (flags.quiet !== true) opened.notes().forEach(message);
  return { set, called, crashed, refused: opened.refused(), status };
}

function comparisonRecord(
  comparison: Comparison,
  reference: ReferenceComparison | undefined,
  gate: GateResult | undefined,
  base: ReadSet,
  next: ReadSet,
): object {
  return {
    kind: 'comparison',
    schema: OUTPUT_SCHEMA,
    ...comparison,
    ...(reference && { reference }),
    gate: gate ?? null,
    crashed: { base: base.crashed.map(crashedRecord), new: next.crashed.map(crashedRecord) },
    refused: { base: base.refused, new: next.refused },
  };
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
    { text: result, paint: colorOf(result, colors) },
    `${base.runs} → ${next.runs}`,
    ...(named ? [oneLine(task ?? '')] : []),
    oneLine(objective),
  ]);
  const table = rows.length === 0 ? '' : renderTable(columns, rows, { head: colors.dim, gap: GAP });
  return `${table}${wrapAll(summaryLines(comparison, colors), textWidthOf(process.stdout)).join('\n')}\n`;
}

function summaryLines(comparison: Comparison, colors: Colors): readonly string[] {
  const { tasks, wins, losses, ties, meanDifference, interval, passed, sets } = comparison;
  const lines = [''];
  if (meanDifference === null) lines.push(colors.bold('no task has scores in both sets'));
  else {
    lines.push(
      `${colors.bold(count(tasks.length, 'task'))} in both   ${colors.green(count(wins, 'win'))}, ` +
        `${colors.red(count(losses, 'loss', 'losses'))}, ${count(ties, 'tie')}`,
      `${colors.bold(`mean ${signed(meanDifference, 3)}`)}   ${intervalText(interval)}`,
    );
  }
  if (passed !== null) {
    lines.push(
      `passed ${percent(passed.base)} → ${percent(passed.new)} on the ${count(passed.tasks, 'task')} with verdicts in both sets`,
    );
  }
  if (sets.base.crashed + sets.new.crashed > 0) {
    lines.push(`crashed ${crashedText(sets.base)} → ${crashedText(sets.new)}, counted as failed`);
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

function crashedText({ crashed, runs }: SetFacts): string {
  return `${crashed} of ${count(runs, 'run')}`;
}

function intervalText(interval: Comparison['interval']): string {
  if (interval === null) return 'no confidence interval: there is only one task';
  const { low, high } = interval;
  if (low === 0 && high === 0) return 'no difference on any task';
  const sure = low > 0 ? 'better' : high < 0 ? 'worse' : 'could be chance';
  return `95 % interval ${signed(low, 3)} to ${signed(high, 3)} (tasks resampled): ${sure}`;
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

function parseNumber(text: string): number {
  const value = Number(text);
  if (text.trim() !== '' && Number.isSafeInteger(value) && value >= 0) return value;
  throw new InvalidArgumentError('expected a whole number of at least 0');
}
