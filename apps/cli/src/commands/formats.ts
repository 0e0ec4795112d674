import { BUILT_IN_IMPORTERS } from '@kp/importers';
import type { Command } from 'commander';
import { createOutput } from '../output.ts';
import { renderTable } from '../table.ts';

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
        await output.json(formats, 2);
        return;
      }
      const columns = [{ heading: 'name' }, { heading: 'what' }];
      const rows = formats.map(({ name, title }) => [name, title]);
      await output.print(renderTable(columns, rows));
    });
}
