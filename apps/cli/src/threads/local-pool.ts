import { createOwnLineReader } from '@kp/importers';
import type { BlockRequest, WorkerAnswer } from '../runs/prepared/prepared-data.ts';
import { createBlockPreparation } from './prepare-block.ts';
import type { WorkerPool } from './worker-pool.ts';
import type { LineWorkerSettings } from './worker-settings.ts';

/** Creates a pool without workers: this thread prepares the blocks, one after the other. */
export function createLocalPool({
  options,
  ...needs
}: LineWorkerSettings): WorkerPool<BlockRequest, WorkerAnswer> {
  const prepare = createBlockPreparation(createOwnLineReader(options), needs);
  let last: Promise<unknown> = Promise.resolve();
  return {
    start: () => undefined,
    isAlive: () => true,
    assist: () => Promise.resolve(),
    ask(request) {
      const answer = last.then(() => prepare(request));
      last = answer.catch(() => undefined);
      return answer;
    },
  };
}
