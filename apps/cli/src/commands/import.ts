import { type Command, Option } from 'commander';
import { EXIT } from '../exit-status.ts';
import { addInputOptions, type InputFlags, importOptionsOf } from '../input-options.ts';
import { resolveInputs } from '../inputs.ts';
import { count } from '../summary.ts';
import { openTerminal } from '../terminal.ts';
import { readTraces } from '../trace-source.ts';

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
    '\nExamples:\n  kp import runs/ --domain customer_service > traces.jsonl',
  );
  command.action(async (files: string[], flags: ImportFlags) => {
    process.exitCode = await importRecordings(files, flags);
  });
}

/** @returns the exit status. */
async function importRecordings(files: readonly string[], flags: ImportFlags): Promise<number> {
  const importOptions = await importOptionsOf(flags);
  const resolved = await resolveInputs(files);
  const terminal = openTerminal(resolved, flags.quiet === true);
  const { output, progress } = terminal;
  let traces = 0;
  const source = readTraces(resolved.inputs, importOptions, terminal);
  for await (const { trace } of source) {
    traces++;
    progress.scored();
    await output.write(`${JSON.stringify(trace)}\n`);
  }
  terminal.release();
  if (flags.quiet !== true) {
    progress.message(
      `${count(traces, 'trace')} imported, ${count(terminal.problems(), 'problem')}`,
    );
  }
  if (terminal.interrupted()) return EXIT.interrupted;
  if (resolved.unreadable.length > 0) return EXIT.wrongUse;
  return terminal.problems() > 0 ? EXIT.findings : EXIT.fine;
}
