import { type Command, Option } from 'commander';
import { createAssumptions } from '../assumptions.ts';
import { EXIT } from '../exit-status.ts';
import { addInputOptions, type InputFlags, importOptionsOf, parseShare } from '../input-options.ts';
import { resolveInputs } from '../inputs.ts';
import { createRunningStatistics } from '../running-statistics.ts';
import { createJsonPrinter, createTablePrinter } from '../score-printers.ts';
import { scoreStream } from '../score-stream.ts';
import { createChosenScorer, EMBEDDER_CHOICES, type EmbedderChoice } from '../scorer-choice.ts';
import { renderSummary } from '../summary.ts';
import { openTerminal } from '../terminal.ts';
import { readTraces } from '../trace-source.ts';

interface ScoreFlags extends InputFlags {
  readonly json?: boolean;
  readonly threshold?: number;
  readonly embedder: EmbedderChoice;
  readonly quiet?: boolean;
}

// Only shown; without --threshold no score makes the command fail.
const SHOWN_THRESHOLD = 0.5;

export function addScoreCommand(program: Command): void {
  const command = program
    .command('score')
    .summary('score traces, in order, each against those before it')
    .description('Scores traces, in order, each against those before it.')
    .argument('<files...>', 'JSON, JSON Lines or gzip of these; folders; - for standard input')
    .option('--json', 'one report a line on standard output, as JSON')
    .option('--threshold <score>', 'exit with 1 when a trace scores under this', parseShare)
    .addOption(
      new Option('--embedder <name>', 'what novelty is measured with')
        .choices(EMBEDDER_CHOICES)
        .default('lexical'),
    )
    .option('-q, --quiet', 'no progress and no summary');
  addInputOptions(command);
  command.addHelpText(
    'after',
    `
Examples:
  kp score runs/                            a folder of recordings, as a table
  kp score --json traces.jsonl.gz | head    one report a line
  kp score --threshold 0.6 new.jsonl        fails when a trace is worth less
  zcat runs.gz | kp score -                 from a pipe

Exit status: 0 fine, 1 a trace under the threshold or a problem in the inputs, 2 wrong use.`,
  );
  command.action(async (files: string[], flags: ScoreFlags) => {
    process.exitCode = await score(files, flags);
  });
}

/** @returns the exit status. */
async function score(files: readonly string[], flags: ScoreFlags): Promise<number> {
  const startedAt = performance.now();
  const resolved = await resolveInputs(files);
  const scorer = await createChosenScorer(flags.embedder);
  const terminal = openTerminal(resolved, flags.quiet === true);
  const { output, progress, problem } = terminal;
  const threshold = flags.threshold ?? SHOWN_THRESHOLD;
  const scores = createRunningStatistics();
  const print =
    flags.json === true ? createJsonPrinter(terminal) : createTablePrinter(terminal, threshold);
  const assumptions = createAssumptions(flags.assumeFailure === true ? 'failed' : 'succeeded');
  let atThreshold = 0;

  const traces = readTraces(resolved.inputs, importOptionsOf(flags), terminal);
  for await (const scored of scoreStream(scorer, traces, problem)) {
    const value = scored.report.score;
    scores.add(value);
    if (value >= threshold) atThreshold++;
    assumptions.add(scored.source.provenance);
    progress.scored();
    await print.add(scored);
  }
  await print.end();
  terminal.release();
  await scorer.close();

  const facts = {
    scores: scores.read(),
    atThreshold,
    threshold,
    problems: terminal.problems(),
    notes: assumptions.describe(),
    elapsedMs: performance.now() - startedAt,
    interrupted: terminal.interrupted(),
  };
  if (flags.quiet !== true) {
    if (flags.json === true) progress.message(renderSummary(facts, terminal.errorColors).trim());
    else await output.write(renderSummary(facts, terminal.colors));
  }
  if (facts.interrupted) return EXIT.interrupted;
  if (resolved.unreadable.length > 0) return EXIT.wrongUse;
  const under = flags.threshold !== undefined && atThreshold < facts.scores.count;
  return under || facts.problems > 0 ? EXIT.findings : EXIT.fine;
}
