import { readdirSync } from 'node:fs';
import { dirname, join, sep } from 'node:path';
import tab from '@bomb.sh/tab/commander';
import type { Command } from 'commander';

const FILE_ARGUMENTS = ['file', 'files', 'base'];
const FILE_OPTIONS = ['labels', 'memory', 'model', 'importer', 'compare'];

/**
 * Adds `kp completion <shell>`, which prints a script for the shell, and the command that the
 * script asks. The library knows commands, options and choices; files it has to be told.
 */
export function addCompletion(program: Command): void {
  const { commands } = tab(program, { completionCommandName: 'completion' });
  program.commands
    .find((command) => command.name() === 'completion')
    ?.hook('preAction', printToOutput);
  for (const command of commands.values()) {
    for (const [name, argument] of command.arguments) {
      if (FILE_ARGUMENTS.includes(name)) argument.handler = suggestFiles;
    }
    for (const name of FILE_OPTIONS) {
      const option = command.options.get(name);
      if (option !== undefined) option.handler = suggestFiles;
    }
  }
}

/** The library prints by `console.log`, which in Bun says nothing of a disk that is full. */
function printToOutput(): void {
  console.log = (script: string) => {
    process.stdout.write(`${script}\n`);
  };
}

function suggestFiles(complete: (value: string, description: string) => void): void {
  const typed = process.argv.at(-1) ?? '';
  const folder = typed.endsWith('/') || typed.endsWith(sep) ? typed : dirname(typed);
  try {
    for (const entry of readdirSync(folder, { withFileTypes: true })) {
      const path = folder === '.' && !typed.startsWith('.') ? entry.name : join(folder, entry.name);
      complete(entry.isDirectory() ? `${path}/` : path, '');
    }
  } catch (error) {
    // What is typed so far need not name a folder; then there is nothing to suggest.
    if (!(error instanceof Error && 'syscall' in error)) throw error;
  }
}
