import type { Command } from 'commander';

/** Finds an option that was given on the command line and whose name in the flags is accepted. */
export function findGiven(
  command: Command,
  isAccepted: (name: string) => boolean,
): string | undefined {
  const given = command.options.find((option) => {
    const name = option.attributeName();
    return isAccepted(name) && command.getOptionValueSource(name) === 'cli';
  });
  return given?.long;
}
