import { BUILT_IN_IMPORTERS } from '@kp/importers';
import Table from 'cli-table3';
import type { Command } from 'commander';
import { createOutput } from '../output.ts';
import { PLAIN_BORDERS, withoutPadding } from '../plain-borders.ts';

export function addFormatsCommand(program: Command): void {
  program
    .command('formats')
    .summary('list the formats of recordings that can be read')
    .description(
      'Lists the formats of recordings that can be read. They are told from the content; --format chooses one.',
    )
    .option('--json', 'as JSON')
    .addHelpText('after', '\nExamples:\n  kp formats\n  kp score --format tau2 results.json')
    .action(async ({ json }: { readonly json?: boolean }) => {
      const formats = BUILT_IN_IMPORTERS.map(({ name, title }) => ({ name, title }));
      const output = createOutput(process.stdout);
      if (json === true) {
        await output.write(`${JSON.stringify(formats, null, 2)}\n`);
        return;
      }
      const table = new Table({
        chars: PLAIN_BORDERS,
        style: { 'padding-left': 0, 'padding-right': 2 },
      });
      for (const { name, title } of formats) table.push([name, title]);
      await output.write(`${withoutPadding(table)}\n`);
    });
}
