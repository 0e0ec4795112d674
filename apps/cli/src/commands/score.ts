import { type Command, Option } from 'commander';
import { createAssumptions } from '../assumptions.ts';
import { EXIT } from '../exit-status.ts';
import {
  addInputOptions,
  type InputFlags,
  importOptionsOf,
  parseCount,
  parseShare,
} from '../input-options.ts';
import { resolveInputs } from '../inputs.ts';
import { saveMemory } from '../memory-file.ts';
import { createPrinter, type PrinterName } from '../printers/printer.ts';
import { createRanking, SORT_KEYS, type SortKey } from '../ranking.ts';
import { createRunningStatistics } from '../running-statistics.ts';
import { scoreStream } from '../score-stream.ts';
import { addScorerOptions, createChosenScorer, type ScorerFlags } from '../scorer-choice.ts';
import { renderSummary } from '../summary.ts';
import { openTerminal } from '../terminal.ts';
import { readTraces } from '../trace-source.ts';

interface ScoreFlags extends InputFlags, ScorerFlags {
  readonly json?: boolean;
  readonly csv?: boolean;
  readonly markdown?: boolean;
  readonly sort?: SortKey;
  readonly top?: number;
  readonly threshold?: number;
  readonly concurrency: number;
  readonly quiet?: boolean;
}

// Only shown; without --threshold no score makes the command fail.
const SHOWN_THRESHOLD = 0.5;
const DEFAULT_CONCURRENCY = 16;

export function addScoreCommand(program: Command): void {
  const command = program
    .command('score')
    .summary('score traces, in order, each against those before it')
    .description('Scores traces, in order, each against those before it.')
    .argument('<files...>', 'recordings, plain or gzip; folders; - for standard input')
    .addOption(new Option('--json', 'one report a line, as JSON').conflicts(['csv', 'markdown']))
    .addOption(new Option('--csv', 'one trace a line, as CSV').conflicts(['json', 'markdown']))
    .option('--markdown', 'the table as Markdown')
    .addOption(
      new Option('--sort <key>', 'order of the traces, when all are scored').choices(SORT_KEYS),
    )
    .option('--top <count>', 'only the first so many, by score or by what --sort says', parseCount)
    .option('--threshold <score>', 'exit with 1 when a trace scores under this', parseShare)
    .option(
      '--concurrency <count>',
      'how many traces are embedded at once',
      parseCount,
      DEFAULT_CONCURRENCY,
    )
    .option('-q, --quiet', 'no progress and no summary');
  addScorerOptions(command);
  addInputOptions(command);
  command.addHelpText(
    'after',
    `
Examples:
  kp score runs/                             a folder of recordings, as a table
  kp score --top 10 --markdown runs/         the best ten, for a comment
  kp score --json traces.jsonl.gz | head     one report a line
  kp score --threshold 0.6 new.jsonl         fails when a trace is worth less
  kp score --memory seen.kpvc today/         new against what earlier runs saw
  kp score --labels verdicts.csv --domain bash=code runs/
  zcat runs.gz | kp score -                  from a pipe

Exit status: 0 fine, 1 a trace under the threshold or a problem in the inputs, 2 wrong use.`,
  );
  command.action(async (files: string[], flags: ScoreFlags) => {
    process.exitCode = await score(files, flags);
  });
}

/** @returns the exit status. */
async function score(files: readonly string[], flags: ScoreFlags): Promise<number> {
  const startedAt = performance.now();
  const importOptions = await importOptionsOf(flags);
  const resolved = await resolveInputs(files);
  const { scorer, memory } = await createChosenScorer(flags);
  const terminal = openTerminal(resolved, flags.quiet === true);
  const { output, progress } = terminal;
  const threshold = flags.threshold ?? SHOWN_THRESHOLD;
  const format = printerName(flags);
  const printer = createPrinter(format, terminal, threshold);
  const sorted = flags.sort !== undefined || flags.top !== undefined;
  const ranking = sorted ? createRanking(flags.sort ?? 'score', flags.top ?? Infinity) : undefined;
  const assumptions = createAssumptions(flags.assumeFailure === true ? 'failed' : 'succeeded');
  const scores = createRunningStatistics();
  let atThreshold = 0;

  const traces = readTraces(resolved.inputs, importOptions, terminal);
  const { problem } = terminal;
  for await (const scored of scoreStream(scorer, traces, problem, flags.concurrency)) {
    const value = scored.report.score;
    scores.add(value);
    if (value >= threshold) atThreshold++;
    assumptions.add(scored.source.provenance);
    progress.scored();
    if (ranking === undefined) await printer.add(scored);
    else ranking.add(scored);
  }
  for (const scored of ranking?.inOrder() ?? []) await printer.add(scored);
  await printer.end();
  terminal.release();
  await scorer.close();
  if (memory !== undefined && flags.memory !== undefined) await saveMemory(memory, flags.memory);

  const notes = [...assumptions.describe()];
  if (memory !== undefined && flags.memory !== undefined) {
    notes.push(
      `${memory.size.toLocaleString('en-US')} of at most ${memory.maxElements.toLocaleString('en-US')} traces remembered in ${flags.memory}`,
    );
  }
  const facts = {
    scores: scores.read(),
    atThreshold,
    threshold,
    problems: terminal.problems(),
    notes,
    elapsedMs: performance.now() - startedAt,
    interrupted: terminal.interrupted(),
  };
  if (flags.quiet !== true) {
    if (format === 'table') await output.write(renderSummary(facts, terminal.colors));
    else progress.message(renderSummary(facts, terminal.errorColors).trim());
  }
  if (facts.interrupted) return EXIT.interrupted;
  if (resolved.unreadable.length > 0) return EXIT.wrongUse;
  const under = flags.threshold !== undefined && atThreshold < facts.scores.count;
  return under || facts.problems > 0 ? EXIT.findings : EXIT.fine;
}

function printerName(flags: ScoreFlags): PrinterName {
  if (flags.json === true) return 'json';
  if (flags.csv === true) return 'csv';
  return flags.markdown === true ? 'markdown' : 'table';
}
