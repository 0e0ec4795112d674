import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Command } from 'commander';
import { readResults } from '../results/results-file.ts';

export function addPlotCommand(program: Command): void {
  program
    .command('plot')
    .summary('draw results as SVG')
    .description(
      'Draws a file of bench run --json: distributions.svg and growth.svg, of the last run it holds.',
    )
    .argument('<results>', 'a file of bench run --json')
    .option('--out <folder>', 'where the files go', '.')
    .action(async (path: string, { out }: { readonly out: string }) => {
      // Loaded here: the charts' library takes longer to load than most commands run.
      const { plotDistributions } = await import('../plots/distributions.ts');
      const { plotGrowth } = await import('../plots/growth.ts');
      const { runs } = await readResults(path);
      const benchmarks = runs.at(-1)?.benchmarks ?? [];
      await mkdir(out, { recursive: true });
      await writeFile(join(out, 'distributions.svg'), await plotDistributions(benchmarks));
      await writeFile(join(out, 'growth.svg'), await plotGrowth(benchmarks));
      console.log(`${join(out, 'distributions.svg')}\n${join(out, 'growth.svg')}`);
    });
}
