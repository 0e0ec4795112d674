import { Command, CommanderError } from 'commander';
import { addAuditCommand } from './commands/audit.ts';
import { addCalibrateCommand } from './commands/calibrate.ts';
import { addCompareCommand } from './commands/compare.ts';
import { addCompletion } from './commands/completion.ts';
import { addDedupeCommand } from './commands/dedupe.ts';
import { addExplainCommand } from './commands/explain.ts';
import { addFitCommand } from './commands/fit.ts';
import { addFormatsCommand } from './commands/formats.ts';
import { addImportCommand } from './commands/import.ts';
import { addMcpCommand } from './commands/mcp.ts';
import { addMemoryCommand } from './commands/memory.ts';
import { addReportCommand } from './commands/report.ts';
import { addScoreCommand } from './commands/score.ts';
import { addSelectCommand } from './commands/select.ts';
import { addShareCommand } from './commands/share.ts';
import { addValidateCommand } from './commands/validate.ts';
import { addWatchCommand } from './commands/watch.ts';
import { addWorkCommand } from './commands/work.ts';
import { EXIT, OutputError, UsageError } from './exit.ts';
import { createOutput } from './output.ts';
import { releaseTerminals } from './terminal.ts';

/** The version of this package; a test holds it to package.json. */
export const VERSION = '0.1.0';

/** Runs the command line and leaves the exit status in `process.exitCode`. */
export async function runCommandLine(words: readonly string[]): Promise<void> {
  const output = createOutput(process.stdout);
  // Nobody can be told that messages cannot be written; the results still can.
  process.stderr.on('error', () => undefined);
  try {
    await parse(words);
    await output.settle();
  } catch (error) {
    if (error instanceof DOMException && error.name === 'AbortError') {
      process.exitCode = EXIT.interrupted;
      return;
    }
    if (!(error instanceof UsageError || error instanceof OutputError)) throw error;
    process.stderr.write(`kp: ${error.message}\n`);
    process.exitCode = error instanceof UsageError ? EXIT.wrongUse : EXIT.unwritten;
  } finally {
    releaseTerminals();
  }
}

async function parse(words: readonly string[]): Promise<void> {
  try {
    await createProgram().parseAsync([...words], { from: 'user' });
  } catch (error) {
    // Commander has said already what is wrong, or has given help.
    if (!(error instanceof CommanderError)) throw error;
    process.exitCode = error.exitCode === 0 ? EXIT.fine : EXIT.wrongUse;
  }
}

function createProgram(): Command {
  const program = new Command('kp')
    .description(
      'How much are the recorded runs of an agent worth? Scores in [0, 1], and how they come about.',
    )
    .version(VERSION, '-v, --version')
    .showHelpAfterError('(kp --help and kp <command> --help say how it is used)')
    .exitOverride()
    .addHelpText(
      'after',
      `
Examples:
  kp score runs/                 a table of scores
  kp explain runs/               how the best of them comes about
  kp compare base/ new/          two sets of runs on the same tasks
  kp report runs/ -o report.html one page with plots
  kp select runs/ --top 50 -o best.jsonl
                                 the runs that stand for all
  kp score --json runs/ > scores.jsonl`,
    );
  addScoreCommand(program);
  addExplainCommand(program);
  addCompareCommand(program);
  addSelectCommand(program, VERSION);
  addReportCommand(program);
  addDedupeCommand(program);
  addCalibrateCommand(program);
  addAuditCommand(program);
  addFitCommand(program);
  addShareCommand(program);
  addMcpCommand(program, VERSION);
  addWatchCommand(program);
  addImportCommand(program);
  addValidateCommand(program);
  addFormatsCommand(program);
  addMemoryCommand(program);
  addWorkCommand(program);
  addCompletion(program);
  for (const command of program.commands) command.exitOverride();
  return program;
}
