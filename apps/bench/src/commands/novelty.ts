import type { Command } from 'commander';

/** Hands all that follows to the command of the novelty measurement, which has options of its own. */
export function addNoveltyCommand(program: Command): void {
  const command = program
    .command('novelty')
    .summary('measure how well novelty tells repeats from first sights')
    .argument('[words...]', 'a directory of labelled recordings, and options')
    .usage('DIR [options]')
    .allowUnknownOption()
    .helpOption(false);
  command.action(async () => {
    const { noveltyCommand } = await import('../novelty/novelty-command.ts');
    process.exitCode = await noveltyCommand(command.args);
  });
}
