import { createInterface } from 'node:readline';
import { quantile } from 'simple-statistics';
import type { NotMeasured } from '../enforced/part-cases.ts';
import { createBlockTimer } from '../measurement/timing.ts';
import { loadProduct } from './product.ts';
import { LOOP_ROWS, type LoopRow } from './rows.ts';

/** What a process is to measure. */
export interface ServedRows {
  /** Folder of the revision. */
  readonly root: string;
  /** Ids of rows of one group. */
  readonly rows: readonly string[];
}

/** What a process says of each row once it is warm: that it can be timed, or why not. */
export interface ReadyRow {
  readonly id: string;
  /** Runs of a block that lasts as long as the row says. */
  readonly runs: number;
  readonly notMeasured?: string;
}

const SECOND_WARM_UP_BLOCKS = 3;
// Of a block, before it counts: what the other process left of the processor's caches is not its own.
const SHARE_BEFORE = 0.25;

/**
 * What stands for the blocks of a row: their lower quartile. What a busy machine adds to a block, and
 * the collector now and then, comes on top.
 */
export function shownBlock(blocks: readonly number[]): number {
  return quantile([...blocks], 0.25);
}

/**
 * Makes the rows ready, prints their {@link ReadyRow}s as one line, and answers every line on standard
 * input, the place of a row and a number of runs, with the nanoseconds of an operation in that block.
 */
export async function serveRows({ root, rows }: ServedRows): Promise<void> {
  const blocks = new Map<string, Block>();
  const ready: ReadyRow[] = [];
  for (const [place, id] of rows.entries()) {
    try {
      const row = LOOP_ROWS.find((each) => each.id === id);
      if (row === undefined) throw new RangeError(`row: expected a known one, received ${id}`);
      const prepared = await prepare(row, root);
      if ('notMeasured' in prepared) {
        ready.push({ id, runs: 0, notMeasured: prepared.notMeasured });
        continue;
      }
      ready.push({ id, runs: prepared.runs });
      blocks.set(`${place}`, prepared.block);
    } catch (error) {
      const notMeasured = error instanceof Error ? error.message : String(error);
      ready.push({ id, runs: 0, notMeasured });
    }
  }
  console.log(JSON.stringify(ready));
  const begun = new Set<string>();
  for await (const line of createInterface({ input: process.stdin })) {
    const [name = '', runs] = line.split(' ');
    const block = blocks.get(name);
    if (!begun.has(name)) {
      // What other rows fed to functions that this one uses may have thrown away their compiled code.
      for (let turn = 0; turn < SECOND_WARM_UP_BLOCKS; turn++) await block?.(Number(runs));
      begun.add(name);
    }
    await block?.(Math.ceil(Number(runs) * SHARE_BEFORE));
    console.log(await block?.(Number(runs)));
  }
  // Embedders may hold threads that would keep the process alive.
  process.exit(0);
}

/** Runs a row this often; returns nanoseconds an operation. */
type Block = (runs: number) => Promise<number>;

/**
 * Times runs in processor time, of all threads of this process: however busy the machine is, it has
 * nothing in it of the time that others had.
 */
async function createProcessorTimer(
  run: () => unknown,
): Promise<(runs: number) => Promise<number>> {
  const timer = await createBlockTimer(run);
  return async (runs) => {
    const before = process.cpuUsage();
    await timer.time(runs);
    const { user, system } = process.cpuUsage(before);
    return (user + system) * 1000;
  };
}

interface Prepared {
  readonly runs: number;
  readonly block: Block;
}

/** Blocks of a row that is warm; a reason where it cannot be measured here. */
async function prepare(row: LoopRow, root: string): Promise<Prepared | NotMeasured> {
  const made = row.create(await loadProduct(root, row.needs));
  if ('notMeasured' in made) return made;
  const { operations, run } = made;
  const time = await createProcessorTimer(run);
  const runs = await warmUp(time, row.warmUpMs, row.blockMs);
  return { runs, block: async (count) => (await time(count)) / count / operations };
}

/** Runs until compilers have had their time; answers the runs of a block. */
async function warmUp(
  time: (runs: number) => Promise<number>,
  milliseconds: number,
  blockMs: number,
): Promise<number> {
  const startedAt = process.cpuUsage();
  const wanted = blockMs * 1e6;
  let runs = 1;
  do {
    const elapsed = await time(runs);
    runs = elapsed < wanted / 2 ? runs * 2 : Math.max(1, Math.round((runs * wanted) / elapsed));
    // What a busy machine takes away does not warm up.
  } while (process.cpuUsage(startedAt).user < milliseconds * 1000);
  return runs;
}
