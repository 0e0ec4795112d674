import { availableParallelism } from 'node:os';
import { messageOf } from '@kp/foundation';
import { ownLineOptions } from '@kp/importers';
import type { Input } from '../runs/inputs.ts';
import type { OpenPreparer } from '../runs/open-runs.ts';
import type { WorkerEmbedder } from '../runs/prepared-block.ts';
import { createLinePool } from './line-pool.ts';

/** What worker threads prepare for a command. */
export interface PreparedReading {
  /** Number of threads, with this one; default: one per core. */
  readonly jobs?: number;
  readonly embedder: WorkerEmbedder;
}

/** Starting the workers takes as long as reading this many bytes. */
const FEWEST_BYTES = 6 * 2 ** 20;
/** Inputs of fewer bytes are read in this thread. */
const FEWEST_BYTES_OF_INPUT = 2 ** 18;
/** Recordings compress about 8-fold. */
const EXPANSION = 8;

/**
 * Prepares runs in worker threads. Starts none for few bytes, for one core, or if the import depends on more
 * than the lines.
 */
export function prepareInThreads({
  jobs = availableParallelism(),
  embedder,
}: PreparedReading): OpenPreparer {
  return (inputs, options, { stopped, warn }) => {
    const lineOptions = ownLineOptions(options);
    const large = inputs.filter((input) => bytesOf(input) >= FEWEST_BYTES_OF_INPUT);
    const bytes = large.reduce((sum, input) => sum + bytesOf(input), 0);
    if (jobs < 2 || bytes < FEWEST_BYTES || lineOptions === undefined) return undefined;
    const preparer = createLinePool({
      workers: jobs - 1,
      settings: { options: lineOptions, embedder },
      stopped,
      onFailure: (error) => {
        warn(`a worker thread failed, its lines are read without it: ${messageOf(error)}`);
      },
    });
    return (input) => (large.includes(input) ? preparer : undefined);
  };
}

/** Bytes to read, once they are unpacked; 0 for a stream, whose lines must not wait for further ones. */
function bytesOf({ bytes = 0, name }: Input): number {
  return /\.(gz|zst|tgz|zip)$/.test(name) ? EXPANSION * bytes : bytes;
}
