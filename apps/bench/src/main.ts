import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { Command, CommanderError } from 'commander';
import { addCompareCommand } from './commands/compare.ts';
import { addMemoryCommand, addSoakCommand } from './commands/memory.ts';
import { addCheckCommand, addLiveCommand, addVectorCommand } from './commands/promises.ts';
import { addNoveltyCommand, addSecretsCommand } from './commands/recordings.ts';
import { addHistoryCommand, addPlotCommand, addRunCommand } from './commands/results.ts';
import { addCoverageCommand, addCurationCommand } from './commands/selection.ts';
import { ResultsFileError } from './results/results-file.ts';

const words = process.argv.slice(2);
const built = fileURLToPath(new URL('../tsconfig.built.json', import.meta.url));
const facade = fileURLToPath(new URL('../../../packages/sdk/dist/index.js', import.meta.url));
const override = `--tsconfig-override=${built}`;

// Bun follows the compiler's paths to the sources of our packages. What is to be measured is what
// people install, so the program starts itself again without them.
if (process.versions.bun === undefined || process.execArgv.includes(override)) {
  await runCommandLine(words);
} else if (existsSync(facade)) {
  const [, program = ''] = process.argv;
  const child = spawn(process.execPath, [override, program, ...words], { stdio: 'inherit' });
  // It has to clean up before it ends, and this process has to wait for that.
  for (const name of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
    process.on(name, () => child.kill(name));
  }
  process.exitCode = await new Promise<number>((resolve) => {
    child.on('close', (code) => resolve(code ?? 1));
  });
} else {
  console.error('bench: the packages are not built (bun run build): measuring their sources');
  await runCommandLine(words);
}

/** Runs the command line and leaves the exit status in `process.exitCode`: 2 for wrong use. */
async function runCommandLine(words: readonly string[]): Promise<void> {
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
