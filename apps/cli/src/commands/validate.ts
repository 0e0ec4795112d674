import { safeParseTrace } from '@knowledgepulse/sdk';
import type { Command } from 'commander';
import { EXIT } from '../exit-status.ts';
import { addInputOptions, type InputFlags, importOptionsOf } from '../input-options.ts';
import { resolveInputs } from '../inputs.ts';
import { invalidMessage } from '../score-stream.ts';
import { count } from '../summary.ts';
import { openTerminal } from '../terminal.ts';
import { readTraces } from '../trace-source.ts';

interface ValidateFlags extends InputFlags {
  readonly quiet?: boolean;
}

export function addValidateCommand(program: Command): void {
  const command = program
    .command('validate')
    .summary('check traces, and say everything that is wrong with them')
    .description('Checks traces and says everything that is wrong with them.')
    .argument('<files...>', 'JSON, JSON Lines or gzip of these; folders; - for standard input')
    .option('-q, --quiet', 'no progress, and nothing when all is well');
  addInputOptions(command);
  command.addHelpText('after', '\nExamples:\n  kp validate traces.jsonl && git add traces.jsonl');
  command.action(async (files: string[], flags: ValidateFlags) => {
    process.exitCode = await validate(files, flags);
  });
}

/** @returns the exit status. */
async function validate(files: readonly string[], flags: ValidateFlags): Promise<number> {
  const importOptions = await importOptionsOf(flags);
  const resolved = await resolveInputs(files);
  const terminal = openTerminal(resolved, flags.quiet === true);
  const { output, progress, problem } = terminal;
  let valid = 0;
  const traces = readTraces(resolved.inputs, importOptions, terminal);
  for await (const source of traces) {
    progress.scored();
    const result = safeParseTrace(source.trace);
    if (result.success) valid++;
    else problem(invalidMessage(result.error, source));
  }
  terminal.release();
  if (flags.quiet !== true) {
    await output.write(
      `${count(valid, 'valid trace')}, ${count(terminal.problems(), 'problem')}\n`,
    );
  }
  if (terminal.interrupted()) return EXIT.interrupted;
  if (resolved.unreadable.length > 0) return EXIT.wrongUse;
  return terminal.problems() > 0 ? EXIT.findings : EXIT.fine;
}
