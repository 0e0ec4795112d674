import { existsSync } from 'node:fs';
import { type Command, InvalidArgumentError } from 'commander';
import { describeMachine } from '../results/machine.ts';
import { type Results, readResults, writeResults } from '../results/results-file.ts';
import { figureTable, suiteTable } from '../results/suite-table.ts';
import { renderMarkdown, renderTerminal } from '../results/text-table.ts';
import { measureFigures } from '../suite/figures.ts';
import { runSuite } from '../suite/run-suite.ts';
import { SUITE } from '../suite/suite.ts';

interface RunFlags {
  readonly json?: string;
  readonly append?: boolean;
  readonly markdown?: boolean;
  readonly milliseconds: number;
}

export function addRunCommand(program: Command): void {
  program
    .command('run', { isDefault: true })
    .summary('measure everything')
    .description(
      'Measures every part, by size where it has one, and the starts of processes, memory and installed sizes.',
    )
    .argument('[filter]', 'a group, or part of group/name: only the benchmarks that it fits')
    .option('--json <file>', 'write the results to a file, for compare and plot')
    .option('--append', 'add a run to those that the file holds already')
    .option('--markdown', 'print Markdown')
    .option('--milliseconds <number>', 'time for each benchmark', positive, 300)
    .action((filter: string | undefined, flags: RunFlags) => run(filter, flags));
}

async function run(filter: string | undefined, flags: RunFlags): Promise<void> {
  const missing: string[] = [];
  const onMissing = (what: string, reason: string): void => {
    missing.push(`NOT MEASURED: ${what}: ${reason}`);
  };
  const progress = process.stderr.isTTY
    ? (name: string) => process.stderr.write(`\r\x1b[K${name}`)
    : () => true;
  const suiteRun = await runSuite(SUITE, {
    ...(filter === undefined ? {} : { filter }),
    milliseconds: flags.milliseconds,
    onResult: ({ group, name }) => progress(`${group}: ${name}`),
    onMissing,
  });
  const figures = filter === undefined ? await measureFigures(onMissing) : [];
  progress('');
  const render = flags.markdown === true ? renderMarkdown : renderTerminal;
  console.log(render(suiteTable(suiteRun.benchmarks)));
  if (figures.length > 0) console.log(`\n${render(figureTable(figures))}`);
  if (missing.length > 0) console.log(`\n${missing.join('\n')}`);
  console.log(`\n${describeMachine()}`);
  if (flags.json !== undefined) {
    const earlier = flags.append === true && existsSync(flags.json);
    const before: Pick<Results, 'runs'> = earlier ? await readResults(flags.json) : { runs: [] };
    const runs = [...before.runs, suiteRun];
    await writeResults(flags.json, { version: 1, machine: describeMachine(), runs, figures });
  }
  // Embedders may hold threads that would keep the process alive.
  process.exit(0);
}

function positive(text: string): number {
  const value = Number(text);
  if (!(value > 0)) throw new InvalidArgumentError('expected a number over 0');
  return value;
}
