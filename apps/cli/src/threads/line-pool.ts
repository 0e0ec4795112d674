import type { LineBlock, LinePreparer } from '@kp/importers';
import type { BlockRequest, WorkerAnswer } from '../runs/prepared-data.ts';
import { preparedLines } from '../runs/prepared-run.ts';
import type { WorkerPool } from './worker-pool.ts';

/** Blocks that are read ahead for each worker: while this thread uses one, no worker may become idle. */
const BLOCKS_AHEAD = 6;

/** Every block of a corpus has a separate vocabulary, and longer blocks repeat fewer words. */
const BLOCK_BYTES_OF_CORPUS = 2 ** 20;

/**
 * No more of a file is prepared once this many blocks of it held no run: its other lines are probably parts of runs
 * too.
 */
const MOST_UNUSED = 4;

/** How the lines of a command are prepared. */
export interface LinePool {
  readonly workers: number;
  /** Whether the command reads a corpus. */
  readonly isOfCorpus: boolean;
}

/** Prepares blocks in worker threads. If all of them fail, the import reads the lines itself. */
export function createLinePool(
  pool: WorkerPool<BlockRequest, WorkerAnswer>,
  { workers, isOfCorpus }: LinePool,
): LinePreparer {
  const unused = new Map<string | undefined, number>();
  return {
    blocksAhead: BLOCKS_AHEAD * workers,
    ...(isOfCorpus ? { blockBytes: BLOCK_BYTES_OF_CORPUS } : {}),
    prepare({ bytes, line, file }: LineBlock) {
      const isUnused = (unused.get(file) ?? 0) >= MOST_UNUSED;
      if (isUnused || !pool.isAlive()) return () => undefined;
      const answer = pool.ask({ bytes, line, file });
      return async () => {
        const data = (await answer)?.data;
        const lines = data && preparedLines(data);
        if (lines?.prepared.length === 0) unused.set(file, (unused.get(file) ?? 0) + 1);
        return lines;
      };
    },
  };
}
