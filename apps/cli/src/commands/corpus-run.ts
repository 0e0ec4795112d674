import { availableParallelism } from 'node:os';
import { Command } from 'commander';
import {
  addChoosingOptions,
  addReadingOptions,
  type ChoosingFlags,
  noteOptions,
  type ReadingFlags,
} from '../corpus/corpus-options.ts';
import { openFolderStore, removeFolder } from '../corpus/folder-store.ts';
import { writeSelectionOf } from '../corpus/merged-files.ts';
import type { PlanFacts } from '../corpus/plan-stage.ts';
import { createLocalRunner, type Runner } from '../corpus/run-local.ts';
import type { Store } from '../corpus/store.ts';
import { PLAN_TASK, readDone, taskName } from '../corpus/tasks.ts';
import { wrongUse } from '../output/errors.ts';
import { type ExitStatus, worstStatus } from '../output/exit.ts';
import { addHelp } from '../output/help.ts';
import { checkWritable } from '../output/output.ts';
import { listenForInterrupts, say } from '../output/terminal.ts';
import { resolveInputs } from '../runs/inputs.ts';
import { parseCount } from '../runs/options.ts';

interface RunFlags extends ReadingFlags, ChoosingFlags {
  readonly output: string;
  readonly shards?: number;
  readonly jobs: number;
  readonly dir?: string;
}

/** Input of a shard: enough to keep a process busy for seconds, and little enough for its memory. */
const SHARD_BYTES = 2 ** 26;
/** Runs that a process of the cell stage reads in one pass. */
const SHARE_RUNS = 50_000;

export function addRunCommand(corpus: Command, version: string): void {
  const command = corpus
    .command('run')
    .summary('run all stages on this machine')
    .description(
      'Selects from any number of recordings with a process per core. If it is stopped, the same command continues.',
    )
    .argument('<runs...>', 'recordings (also .gz) and folders')
    .requiredOption('-o, --output <file>', 'write the chosen runs to FILE, and the rest beside it')
    .option('--shards <count>', 'divide the recordings into this many shards', parseCount)
    .option('--jobs <count>', 'processes at once', parseCount, availableParallelism())
    .option(
      '--dir <folder>',
      'keep the shards in this folder (default: FILE.corpus, removed at the end)',
    )
    .option('-q, --quiet', 'print no progress and no summary');
  addChoosingOptions(command);
  addReadingOptions(command);
  addHelp(command, {
    examples: [
      ['kp corpus run runs/ --top 1000 -o best.jsonl', 'select 1,000 runs'],
      ['kp corpus run runs/ --top 1000 --dir work -o best.jsonl', 'keep the shards'],
    ],
    no: 'there was nothing to choose from',
  });
  const given = noteOptions(command);
  command.action(async (files: string[], flags: RunFlags) => {
    const interrupts = listenForInterrupts();
    try {
      const runner = createLocalRunner(flags.jobs, flags.quiet === true, interrupts.signal);
      const reading = [...files, ...given.wordsFor(addReadingOptions(new Command()))];
      const choosing = given.wordsFor(addChoosingOptions(new Command()));
      process.exitCode = await run(
        { files, flags, reading, choosing, version },
        runner,
        interrupts.signal,
      );
    } finally {
      interrupts.release();
    }
  });
}

interface RunRequest {
  readonly files: readonly string[];
  readonly flags: RunFlags;
  readonly reading: readonly string[];
  readonly choosing: readonly string[];
  readonly version: string;
}

async function run(
  { files, flags, reading, choosing, version }: RunRequest,
  runner: Runner,
  signal: AbortSignal,
): Promise<ExitStatus> {
  const { output, dir = `${output}.corpus`, jobs } = flags;
  await checkWritable(output, '-o');
  const of = flags.shards ?? (await shardsFor(files, flags, jobs));
  const store = await openFolderStore(dir);
  const stage = (name: string, ...words: readonly string[]): readonly string[] => [
    ...['corpus', name, ...words, '--quiet'],
  ];
  const share = (index: number, count: number): string[] => [
    ...['--shard', String(index), '--of', String(count)],
  ];
  const mapped = await runner.run(
    'map',
    Array.from({ length: of }, (_, index) => ({
      name: taskName('map', index, of),
      words: stage('map', ...reading, ...share(index, of), '-o', dir),
    })),
  );
  await runner.run('plan', [{ name: PLAN_TASK, words: stage('plan', dir, ...choosing) }]);
  const shares = await cellShares(store, jobs);
  await runner.run(
    'cell',
    Array.from({ length: shares }, (_, index) => ({
      name: `share ${index + 1} of the cells`,
      words: stage('cell', dir, ...share(index, shares)),
    })),
  );
  const { lines, status } = await writeSelectionOf(store, output, version, signal);
  if (flags.quiet !== true) for (const line of lines) say(line);
  if (flags.dir === undefined) await removeFolder(dir);
  return worstStatus([mapped, status]);
}

async function cellShares(store: Store, jobs: number): Promise<number> {
  const { cells, runs } = (await readDone<PlanFacts>(store, PLAN_TASK)).facts;
  return Math.min(cells.length, Math.max(jobs, Math.ceil(runs / SHARE_RUNS)));
}

/** One shard for recordings that a process reads in seconds; then the result is that of `kp select`. */
async function shardsFor(files: readonly string[], flags: RunFlags, jobs: number): Promise<number> {
  const { inputs, missing } = await resolveInputs(files, flags);
  if (missing[0] !== undefined) throw wrongUse('RUNS', 'files and folders that exist', missing[0]);
  const bytes = inputs.reduce((sum, input) => sum + (input.bytes ?? 0), 0);
  return bytes <= SHARD_BYTES ? 1 : Math.max(jobs, Math.ceil(bytes / SHARD_BYTES));
}
