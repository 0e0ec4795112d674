import { setImmediate } from 'node:timers/promises';
import type { LineBlock, LinePreparer } from '@kp/importers';
import type { BlockRequest, WorkerAnswer } from '../runs/prepared/prepared-data.ts';
import { preparedLines } from '../runs/prepared/prepared-run.ts';
import type { WorkerPool } from './worker-pool.ts';
import { BLOCK_BYTES } from './worker-settings.ts';

/** Blocks that are read ahead for each worker: while this thread uses one, no worker may become idle. */
const BLOCKS_AHEAD = 4;

/** Bytes from which on lines are a block in this thread, whose first results appear when a block is done. */
const BLOCK_BYTES_HERE = 2 ** 18;
/** Every block of a corpus has a separate vocabulary, and longer blocks repeat fewer words. */
const BLOCK_BYTES_OF_CORPUS = 2 ** 20;

/**
 * Number of blocks without a run at the start of a file after which no more of it is prepared: its other lines are
 * probably parts of runs too.
 */
const MOST_UNUSED = 4;

/** Number of answers after which this thread prepares blocks too instead of waiting for the next answer. */
export const FEWEST_ANSWERS = 10;

export interface LinePoolOptions {
  /** Number of threads in the pool; 0 if this thread prepares the blocks. */
  readonly workers: number;
  readonly readsCorpus: boolean;
}

/** Prepares blocks in worker threads. If all of them fail, the import reads the lines itself. */
export function createLinePool(
  pool: WorkerPool<BlockRequest, WorkerAnswer>,
  { workers, readsCorpus }: LinePoolOptions,
): LinePreparer {
  /** Number of blocks without a run of each file that has none with a run so far. */
  const unused = new Map<string | undefined, number>();
  let answered = 0;
  const blockBytes = workers === 0 ? BLOCK_BYTES_HERE : BLOCK_BYTES;
  return {
    blocksAhead: BLOCKS_AHEAD * workers,
    blockBytes: readsCorpus ? BLOCK_BYTES_OF_CORPUS : blockBytes,
    prepare({ bytes, line, file }: LineBlock) {
      const isUnused = (unused.get(file) ?? 0) >= MOST_UNUSED;
      if (isUnused || !pool.isAlive()) return () => undefined;
      let isAnswered = false;
      const answer = pool.ask({ bytes, line, file }).finally(() => {
        isAnswered = true;
        answered++;
      });
      return async () => {
        // Two threads that both compile their programs are slower than one.
        if (answered >= FEWEST_ANSWERS && !isAnswered) {
          // The answer may be on its way to this thread.
          await setImmediate();
          if (!isAnswered) await pool.assist();
        }
        const data = (await answer)?.data;
        const lines = data && preparedLines(data);
        const hasRuns = lines === undefined || lines.prepared.length > 0;
        unused.set(file, hasRuns ? Number.NEGATIVE_INFINITY : (unused.get(file) ?? 0) + 1);
        return lines;
      };
    },
  };
}
