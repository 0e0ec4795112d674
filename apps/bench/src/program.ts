import { Command, CommanderError } from 'commander';
import { addCompareCommand } from './commands/compare.ts';
import { addMemoryCommand, addSoakCommand } from './commands/memory.ts';
import { addCheckCommand, addLiveCommand, addVectorCommand } from './commands/promises.ts';
import { addNoveltyCommand, addSecretsCommand } from './commands/recordings.ts';
import { addHistoryCommand, addPlotCommand, addRunCommand } from './commands/results.ts';
import { addCoverageCommand, addCurationCommand } from './commands/selection.ts';
import { ResultsFileError } from './results/results-file.ts';

/** Runs the command line and leaves the exit status in `process.exitCode`: 2 for wrong use. */
export async function runCommandLine(words: readonly string[]): Promise<void> {
  try {
    await createProgram().parseAsync([...words], { from: 'user' });
  } catch (error) {
    if (error instanceof CommanderError) {
      process.exitCode = error.exitCode === 0 ? 0 : 2;
    } else if (error instanceof ResultsFileError) {
      console.error(`bench: ${error.message}`);
      process.exitCode = 2;
    } else {
      throw error;
    }
  }
}

function createProgram(): Command {
  const program = new Command('bench')
    .description('What the scoring SDK takes: time, memory and size.')
    .showHelpAfterError('(bench --help and bench <command> --help say how it is used)')
    .exitOverride();
  addRunCommand(program);
  addCheckCommand(program);
  addCompareCommand(program);
  addPlotCommand(program);
  addHistoryCommand(program);
  addNoveltyCommand(program);
  addSecretsCommand(program);
  addVectorCommand(program);
  addMemoryCommand(program);
  addSoakCommand(program);
  addCurationCommand(program);
  addLiveCommand(program);
  addCoverageCommand(program);
  for (const command of program.commands) command.exitOverride();
  return program;
}
