import { type ExitStatus, worstStatus } from '../output/exit.ts';
import { createOutput } from '../output/output.ts';
import { say } from '../output/terminal.ts';
import { refuseMissing, resolveInputs } from '../runs/inputs.ts';
import { checkOutput } from '../runs/output-place.ts';
import { unitCount } from './cell-shares.ts';
import type { ChoosingFlags, ReadingFlags } from './corpus-options.ts';
import { PLAN_TASK, readDone, taskName } from './done-task.ts';
import { removeFolder } from './folder-store.ts';
import { writeSelectionOf } from './merged-files.ts';
import { openStore, refuseReadFolder } from './open-store.ts';
import type { PlanFacts } from './plan-stage.ts';
import type { Runner } from './run-local.ts';
import type { Store } from './store.ts';

/** Options of all stages together. */
export interface StagesFlags extends ReadingFlags, ChoosingFlags {
  readonly output: string;
  readonly shards?: number;
  /** Number of processes at once. */
  readonly jobs: number;
  readonly dir?: string;
  /** Whether to print a summary as JSON. */
  readonly json?: boolean;
}

/** All stages of a corpus: the recordings, and the options as flags and as arguments. */
export interface StagesRequest {
  readonly files: readonly string[];
  readonly flags: StagesFlags;
  /** Arguments that say how the recordings are read, and what is chosen. */
  readonly reading: readonly string[];
  readonly choosing: readonly string[];
}

/**
 * Bytes of input per shard: enough to keep a process busy for seconds, and few enough to fit in its
 * memory.
 */
const SHARD_BYTES = 2 ** 26;
/** Maximum number of runs of a share of the cell stage: a killed process costs less than a minute. */
const MOST_SHARE_RUNS = 50_000;
/** Number of runs for which it is worth starting another process. */
const LEAST_SHARE_RUNS = 5_000;
const SHARES_PER_JOB = 4;

/** Location of the shards. */
export function dirOf({ dir, output }: StagesFlags): string {
  return dir ?? `${output}.corpus`;
}

/** Runs all stages and writes the selection. The same request continues if it was stopped. */
export async function runStages(
  { files, flags, reading, choosing }: StagesRequest,
  version: string,
  createRunner: (store: Store) => Promise<Runner>,
  signal: AbortSignal,
): Promise<ExitStatus> {
  const { output, jobs } = flags;
  const dir = dirOf(flags);
  await checkOutput(output, '-o', { files, ...flags });
  await refuseReadFolder(dir, flags.dir === undefined ? '-o' : '--dir', { files, ...flags });
  const of = flags.shards ?? (await shardsFor(files, flags, jobs));
  const store = await openStore(dir);
  const runner = await createRunner(store);
  const stage = (name: string, ...words: readonly string[]): readonly string[] => [
    ...['corpus', name, ...words, '--quiet'],
  ];
  const share = (index: number, count: number): string[] => [
    ...['--shard', String(index), '--of', String(count)],
  ];
  const maps = Array.from({ length: of }, (_, index) => ({
    name: taskName('map', index, of),
    words: stage('map', ...reading, ...share(index, of), '-o', dir),
  }));
  // The first shard reads the names of all runs, which the others would otherwise do as well.
  const first = flags.labels === undefined ? [] : maps.splice(0, 1);
  const mapped: ExitStatus[] = [];
  for (const group of [first, maps]) {
    if (group.length > 0) mapped.push(await runner.run('map', group));
  }
  await runner.run('plan', [{ name: PLAN_TASK, words: stage('plan', dir, ...choosing) }]);
  const shares = await cellShares(store, jobs);
  await runner.run(
    'cell',
    Array.from({ length: shares }, (_, index) => ({
      name: `share ${index + 1} of the cells`,
      words: stage('cell', dir, ...share(index, shares)),
    })),
  );
  const { lines, summary, status } = await writeSelectionOf(store, output, version, signal);
  if (flags.json === true) await createOutput(process.stdout).json(summary);
  else if (flags.quiet !== true) for (const line of lines) say(line);
  if (flags.dir === undefined) await removeFolder(dir);
  return worstStatus([...mapped, status]);
}

/** Several shares per process if they take seconds, so that none waits long for the last one. */
async function cellShares(store: Store, jobs: number): Promise<number> {
  const { facts } = await readDone<PlanFacts>(store, PLAN_TASK);
  const small = Math.min(SHARES_PER_JOB * jobs, Math.ceil(facts.runs / LEAST_SHARE_RUNS));
  const large = Math.ceil(facts.runs / MOST_SHARE_RUNS);
  return Math.min(unitCount(facts), Math.max(jobs, small, large));
}

/**
 * Use one shard for recordings that a process reads in seconds; the result then equals that of `kp
 * select`.
 */
async function shardsFor(
  files: readonly string[],
  flags: StagesFlags,
  jobs: number,
): Promise<number> {
  const { inputs, missing } = await resolveInputs(files, flags);
  refuseMissing(missing);
  const bytes = inputs.reduce((sum, input) => sum + (input.bytes ?? 0), 0);
  return bytes <= SHARD_BYTES ? 1 : Math.max(jobs, Math.ceil(bytes / SHARD_BYTES));
}
