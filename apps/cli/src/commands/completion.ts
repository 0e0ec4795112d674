import { readdirSync } from 'node:fs';
import { dirname, join, sep } from 'node:path';
import tab from '@bomb.sh/tab/commander';
import type { Command } from 'commander';

const FILE_ARGUMENTS = ['file', 'files', 'base'];
const FILE_OPTIONS = ['labels', 'memory', 'model', 'importer', 'compare'];

/**
 * Adds `kp completion <shell>`, which prints a shell script, and the hidden command that the script
 * calls. The library completes commands, options and choices; this module adds files.
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

/** Redirects the library's `console.log`, because Bun's version does not report a full disk. */
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
    // The folder typed so far may not exist; then there are no suggestions.
    if (!(error instanceof Error && 'syscall' in error)) throw error;
  }
}
