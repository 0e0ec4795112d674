import type { Command } from 'commander';
import { renderDerivation } from '../derivation.ts';
import { EXIT_HELP, type ExitStatus, UsageError } from '../exit.ts';
import { openRuns } from '../open-runs.ts';
import { addInputOptions, type InputFlags } from '../options.ts';
import { jsonRecord } from '../printers.ts';
import type { ScoredRun } from '../run.ts';
import { addScorerOptions, createChosenScorer, type ScorerFlags, scoreRuns } from '../scoring.ts';
import { count } from '../text.ts';

interface ExplainFlags extends InputFlags, ScorerFlags {
  readonly json?: boolean;
  readonly quiet?: boolean;
}

export function addExplainCommand(program: Command): void {
  const command = program
    .command('explain')
    .summary('show how a score comes about')
    .description(
      'Shows how the score of one trace comes about, after scoring those before it in the file. Without an ID: of the trace with the best score.',
    )
    .argument('<file>', 'a file, a folder, or - for standard input')
    .argument('[id]', 'the id of a trace, or a part of it: the first that has it')
    .option('--json', 'the report as JSON')
    .option('-q, --quiet', 'no progress');
  addScorerOptions(command);
  addInputOptions(command);
  command.addHelpText(
    'after',
    `
Examples:
  kp explain trace.json
  kp explain runs.jsonl kp:trace:finance-tsmc-q4-margin
  kp explain runs/ margin                     the first id with this in it

${EXIT_HELP}`,
  );
  command.action(async (file: string, id: string | undefined, flags: ExplainFlags) => {
    process.exitCode = await explain(file, id, flags);
  });
}

async function explain(
  file: string,
  id: string | undefined,
  flags: ExplainFlags,
): Promise<ExitStatus> {
  const { scorer } = await createChosenScorer(flags);
  const opened = await openRuns([file], flags, 'scoring');
  const { terminal, close } = opened;
  const { output, progress } = terminal;
  let chosen: ScoredRun | undefined;
  let scoredRuns = 0;
  for await (const scored of scoreRuns(scorer, opened, 1)) {
    scoredRuns++;
    const { traceId, score } = scored.report;
    if (traceId === id || traceId === `kp:trace:${id}`) {
      chosen = scored;
      break;
    }
    if (id !== undefined) {
      if (traceId.includes(id)) chosen ??= scored;
    } else if (chosen === undefined || score > chosen.report.score) {
      chosen = scored;
    }
  }
  await scorer.close();

  if (chosen === undefined) {
    const status = close();
    // What could not be read has been reported; that nothing is left then needs no saying.
    if (scoredRuns === 0) return status;
    throw new UsageError(
      `${file}: expected a trace whose id has ${JSON.stringify(id)}, received ${count(scoredRuns, 'other trace')}`,
    );
  }
  const { report, run } = chosen;
  const status = close();
  if (flags.json === true) {
    await output.write(`${JSON.stringify(jsonRecord(chosen, false), null, 2)}\n`);
  } else {
    await output.write(renderDerivation(report, run, terminal.colors));
    if (id === undefined && scoredRuns > 1) {
      progress.message(`the best of ${count(scoredRuns, 'trace')}; name another by its id`);
    }
  }
  return status;
}
