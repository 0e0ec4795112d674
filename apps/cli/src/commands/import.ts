import { safeParseTrace } from '@knowledgepulse/sdk';
import { type Command, Option } from 'commander';
import type { ExitStatus } from '../output/exit.ts';
import { createAssumptions } from '../output/summary.ts';
import { count } from '../output/text.ts';
import { openRuns } from '../runs/open-runs.ts';
import { addInputOptions, type InputFlags } from '../runs/options.ts';

interface ImportFlags extends InputFlags {
  readonly to: 'jsonl';
  readonly quiet?: boolean;
}

export function addImportCommand(program: Command): void {
  const command = program
    .command('import')
    .summary('turn recordings of other formats into traces')
    .description(
      'Turns recordings of other formats into traces, one a line on standard output, each with where its fields come from.',
    )
    .argument('<files...>', 'recordings; folders; - for standard input')
    .addOption(
      new Option('--to <layout>', 'layout of the output').choices(['jsonl']).default('jsonl'),
    )
    .option('-q, --quiet', 'no progress and no summary');
  addInputOptions(command);
  command.addHelpText(
    'after',
    `\nExamples:\n  kp import runs/ --domain customer_service > traces.jsonl`,
  );
  command.action(async (files: string[], flags: ImportFlags) => {
    process.exitCode = await importRecordings(files, flags);
  });
}

async function importRecordings(files: readonly string[], flags: ImportFlags): Promise<ExitStatus> {
  const { terminal, runs, crashed, refuse, notes, close } = await openRuns(files, flags);
  const { output, progress } = terminal;
  const assumptions = createAssumptions(flags.assumeFailure === true ? 'failed' : 'succeeded');
  let imported = 0;
  for await (const run of runs) {
    const { trace, provenance, format } = run;
    // What calls itself a trace of ours comes as it was found.
    const checked = format === 'kp' ? safeParseTrace(trace) : undefined;
    if (checked?.success === false) {
      refuse(run, checked.error);
      continue;
    }
    imported++;
    assumptions.add(provenance);
    progress.scored();
    await output.json(trace);
  }
  for (const { record } of crashed()) await output.json(record);
  const status = close();
  if (flags.quiet !== true) {
    for (const note of [...assumptions.describe(), ...notes()]) progress.message(note);
    progress.message(
      `${count(imported, 'trace')} imported, ${count(terminal.problems(), 'problem')}${terminal.interrupted() ? ', interrupted' : ''}`,
    );
  }
  return status;
}
