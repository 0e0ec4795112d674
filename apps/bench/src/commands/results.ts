import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type Command, InvalidArgumentError, Option } from 'commander';
import { historyTable, readHistory } from '../results/history.ts';
import { type Results, readResults, writeResults } from '../results/results-file.ts';
import {
  describeMachine,
  figureTable,
  renderMarkdown,
  renderTerminal,
  suiteTable,
} from '../results/tables.ts';
import { embedderBenchmarks, streamBenchmarks } from '../suite/embedder-benchmarks.ts';
import { measureFigures } from '../suite/figures.ts';
import { importBenchmarks } from '../suite/import-benchmarks.ts';
import { type BenchmarkFactory, runSuite } from '../suite/run-suite.ts';
import {
  cacheBenchmarks,
  evaluationBenchmarks,
  scoringBenchmarks,
} from '../suite/scoring-benchmarks.ts';
import { validationBenchmarks } from '../suite/validation-benchmarks.ts';

interface RunFlags {
  readonly json?: string;
  readonly append?: boolean;
  readonly markdown?: boolean;
  readonly milliseconds: number;
}

/** Everything that `bench run` measures in one process, in order. */
const SUITE: readonly BenchmarkFactory[] = [
  scoringBenchmarks,
  validationBenchmarks,
  evaluationBenchmarks,
  ...cacheBenchmarks,
  ...embedderBenchmarks,
  streamBenchmarks,
  importBenchmarks,
];

export function addRunCommand(program: Command): void {
  program
    .command('run', { isDefault: true })
    .summary('measure everything')
    .description(
      'Measures every part, by size where it has one, and the starts of processes, memory and installed sizes.',
    )
    .argument('[filter]', 'a group, or part of group/name: only the benchmarks that it fits')
    .option('--json <file>', 'write the results to a file, for compare, plot and history')
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
    const runs = [...before.runs, { ...suiteRun, commit: currentCommit() }];
    await writeResults(flags.json, { version: 1, machine: describeMachine(), runs, figures });
  }
  // Embedders may hold threads that would keep the process alive.
  process.exit(0);
}

/** Of the repository that this program is in; undefined where it is in none. */
function currentCommit(): string | undefined {
  const options = { cwd: import.meta.dirname, encoding: 'utf8' } as const;
  const { status, stdout } = spawnSync('git', ['rev-parse', 'HEAD'], options);
  return status === 0 ? stdout.trim() : undefined;
}

function positive(text: string): number {
  const value = Number(text);
  if (!(value > 0)) throw new InvalidArgumentError('expected a number over 0');
  return value;
}

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
      const { plotDistributions, plotGrowth } = await import('../plots/plots.ts');
      const { runs } = await readResults(path);
      const benchmarks = runs.at(-1)?.benchmarks ?? [];
      await mkdir(out, { recursive: true });
      await writeFile(join(out, 'distributions.svg'), await plotDistributions(benchmarks));
      await writeFile(join(out, 'growth.svg'), await plotGrowth(benchmarks));
      console.log(`${join(out, 'distributions.svg')}\n${join(out, 'growth.svg')}`);
    });
}

interface HistoryFlags {
  readonly by: 'time' | 'commit';
  readonly out: string;
  readonly markdown?: boolean;
}

export function addHistoryCommand(program: Command): void {
  program
    .command('history')
    .summary('draw a series of results')
    .description(
      'Reads files of bench run --json, or folders of them, prints a line for each benchmark and draws history.svg: how each went from run to run.',
    )
    .argument('<results...>', 'files of bench run --json, or folders of them')
    .addOption(
      new Option('--by <order>', 'what the horizontal axis shows')
        .choices(['time', 'commit'])
        .default('time'),
    )
    .option('--out <folder>', 'where the file goes', '.')
    .option('--markdown', 'print Markdown')
    .action(async (paths: string[], { by, out, markdown }: HistoryFlags) => {
      const points = await readHistory(paths);
      const { plotHistory } = await import('../plots/plots.ts');
      console.log((markdown === true ? renderMarkdown : renderTerminal)(historyTable(points)));
      await mkdir(out, { recursive: true });
      const file = join(out, 'history.svg');
      await writeFile(file, await plotHistory(points, by));
      console.log(`\n${file}`);
    });
}
