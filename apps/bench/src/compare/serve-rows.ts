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
  /** To prove that a change is found: times that rows can be made slower, see {@link serveRows}. */
  readonly slowDowns: Readonly<Record<string, number>>;
}

/** What a process says of each row once it is warm: that it can be timed, or why not. */
export interface ReadyRow {
  readonly id: string;
  readonly notMeasured?: string | undefined;
}

// Long enough to outweigh a wake-up and the reading of clocks.
const BLOCK_NS = 1e6;
const SECOND_WARM_UP_BLOCKS = 5;

/**
 * What stands for the blocks of a row: their lower quartile. What a busy machine adds to a block, and
 * the collector now and then, comes on top.
 */
export function shownBlock(blocks: readonly number[]): number {
  return quantile([...blocks], 0.25);
}

/**
 * Makes the rows ready, prints a {@link ReadyRow} each as one line, and answers every line on
 * standard input with the nanoseconds of an operation in one block: of a row by its place, or, with an
 * `s` before it, of the row made slower.
 */
export async function serveRows({ root, rows, slowDowns }: ServedRows): Promise<void> {
  const blocks = new Map<string, Block>();
  const ready: ReadyRow[] = [];
  for (const [place, id] of rows.entries()) {
    try {
      const row = LOOP_ROWS.find((each) => each.id === id);
      if (row === undefined) throw new RangeError(`row: expected a known one, received ${id}`);
      const prepared = await prepare(row, root, slowDowns[id]);
      ready.push({ id, notMeasured: 'notMeasured' in prepared ? prepared.notMeasured : undefined });
      if ('notMeasured' in prepared) continue;
      blocks.set(`${place}`, prepared.plain);
      if (prepared.slowed !== undefined) blocks.set(`s${place}`, prepared.slowed);
    } catch (error) {
      ready.push({ id, notMeasured: error instanceof Error ? error.message : String(error) });
    }
  }
  console.log(JSON.stringify(ready));
  const begun = new Set<string>();
  for await (const line of createInterface({ input: process.stdin })) {
    const block = blocks.get(line);
    if (!begun.has(line)) {
      // What other rows fed to functions that this one uses may have thrown away their compiled code.
      for (let turn = 0; turn < SECOND_WARM_UP_BLOCKS; turn++) await block?.();
      begun.add(line);
    }
    console.log(await block?.());
  }
  // Embedders may hold threads that would keep the process alive.
  process.exit(0);
}

/** Runs a row for a while; answers nanoseconds an operation. */
type Block = () => Promise<number>;

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

/** Blocks of a row that is warm; a reason where it cannot be measured here. */
async function prepare(
  row: LoopRow,
  root: string,
  slowDown: number | undefined,
): Promise<{ readonly plain: Block; readonly slowed: Block | undefined } | NotMeasured> {
  const made = row.create(await loadProduct(root, row.needs));
  if ('notMeasured' in made) return made;
  const { operations, run } = made;
  const time = await createProcessorTimer(run);
  const runs = await warmUp(time, row.warmUpMs);
  const plainRun = async (): Promise<number> => (await time(runs)) / runs;
  const slowedRun =
    slowDown === undefined ? undefined : await createSlowedRun(run, slowDown, plainRun);
  return {
    plain: async () => (await plainRun()) / operations,
    slowed: slowedRun && (async () => (await slowedRun()) / operations),
  };
}

/** Runs until compilers have had their time; answers the runs of a block. */
async function warmUp(
  time: (runs: number) => Promise<number>,
  milliseconds: number,
): Promise<number> {
  const startedAt = process.cpuUsage();
  let runs = 1;
  do {
    const elapsed = await time(runs);
    runs = elapsed < BLOCK_NS / 2 ? runs * 2 : Math.max(1, Math.round((runs * BLOCK_NS) / elapsed));
    // What a busy machine takes away does not warm up.
  } while (process.cpuUsage(startedAt).user < milliseconds * 1000);
  return runs;
}

const SHORTEST_SPIN = 100;
const CALIBRATIONS = 2;
const CALIBRATING_BLOCKS = 10;

/**
 * Times runs with busy work in each. How much of it makes a run so many times slower is found beside
 * the run itself.
 */
async function createSlowedRun(
  run: () => unknown,
  slowDown: number,
  plainRun: Block,
): Promise<Block> {
  let turns = SHORTEST_SPIN;
  const busy = await createProcessorTimer(() => spin(turns));
  for (let calibration = 0; calibration < CALIBRATIONS; calibration++) {
    const busyRuns = await warmUp(busy, 2);
    const busyRun = async (): Promise<number> => (await busy(busyRuns)) / busyRuns;
    const [ofRun, ofSpin] = await inTurns(plainRun, busyRun);
    turns = Math.max(1, Math.round((turns * (slowDown - 1) * ofRun) / ofSpin));
  }
  const time = await createProcessorTimer(() => {
    spin(turns);
    return run();
  });
  const runs = await warmUp(time, 20);
  return async () => (await time(runs)) / runs;
}

async function inTurns(one: Block, other: Block): Promise<readonly [one: number, other: number]> {
  const [ofOne, ofOther]: [number[], number[]] = [[], []];
  for (let block = 0; block < CALIBRATING_BLOCKS; block++) {
    ofOne.push(await one());
    ofOther.push(await other());
  }
  return [shownBlock(ofOne), shownBlock(ofOther)];
}

let state = 1;

/** Work that depends on its own last result, so that no compiler can leave any of it out. */
function spin(turns: number): number {
  let bits = state;
  for (let turn = 0; turn < turns; turn++) {
    bits ^= bits << 13;
    bits ^= bits >>> 17;
    bits ^= bits << 5;
  }
  state = bits;
  return bits;
}
