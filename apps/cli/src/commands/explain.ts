import type { Command } from 'commander';
import { renderDerivation } from '../derivation.ts';
import { EXIT } from '../exit-status.ts';
import { addInputOptions, type InputFlags, importOptionsOf } from '../input-options.ts';
import { resolveInputs } from '../inputs.ts';
import { type ScoredTrace, scoreStream } from '../score-stream.ts';
import { addScorerOptions, createChosenScorer, type ScorerFlags } from '../scorer-choice.ts';
import { count } from '../summary.ts';
import { openTerminal } from '../terminal.ts';
import { readTraces } from '../trace-source.ts';

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
  kp explain runs/ margin                     the first id with this in it`,
  );
  command.action(async (file: string, id: string | undefined, flags: ExplainFlags) => {
    process.exitCode = await explain(file, id, flags);
  });
}

/** @returns the exit status. */
async function explain(file: string, id: string | undefined, flags: ExplainFlags): Promise<number> {
  const importOptions = await importOptionsOf(flags);
  const resolved = await resolveInputs([file]);
  const { scorer } = await createChosenScorer(flags);
  const terminal = openTerminal(resolved, flags.quiet === true);
  const { output, progress, problem } = terminal;
  let chosen: ScoredTrace | undefined;
  let traces = 0;

  const recorded = readTraces(resolved.inputs, importOptions, terminal);
  for await (const scored of scoreStream(scorer, recorded, problem, 1)) {
    traces++;
    progress.scored();
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
  terminal.release();
  await scorer.close();

  if (chosen === undefined) {
    // What could not be read has been reported; that nothing is left then needs no saying.
    if (resolved.unreadable.length > 0) return EXIT.wrongUse;
    const wanted =
      id === undefined ? 'a valid trace' : `a trace whose id has ${JSON.stringify(id)}`;
    const received = traces === 0 ? 'none' : count(traces, 'other trace');
    problem(`${file}: expected ${wanted}, received ${received}`);
    return EXIT.findings;
  }
  const { report, source } = chosen;
  if (flags.json === true) {
    await output.write(`${JSON.stringify(report, null, 2)}\n`);
  } else {
    await output.write(renderDerivation(report, source, terminal.colors));
    if (id === undefined && traces > 1) {
      progress.message(`the best of ${count(traces, 'trace')}; name another by its id`);
    }
  }
  return terminal.problems() > 0 ? EXIT.findings : EXIT.fine;
}
