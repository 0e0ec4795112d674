import { availableParallelism } from 'node:os';
import { messageOf } from '@kp/foundation';
import { ownLineOptions, runLineOptions } from '@kp/importers';
import type { OpenPreparer } from '../runs/inputs/open-runs.ts';
import type { BlockRequest, InputRequest, WorkerAnswer } from '../runs/prepared/prepared-data.ts';
import { divideInputs, plainOptions, pooledInput } from './divide-inputs.ts';
import { takeEarlyWorker } from './early-worker.ts';
import { createInputPool } from './input-pool.ts';
import { createLinePool } from './line-pool.ts';
import { createLocalPool } from './local-pool.ts';
import type { SpilledTextKind } from './spilled-text.ts';
import { startWorker } from './start-worker.ts';
import { createWorkerPool } from './worker-pool.ts';
import type { InputWorkerSettings, LineWorkerSettings, RunNeeds } from './worker-settings.ts';

/** What is prepared for a command. */
export interface PreparedReading extends RunNeeds {
  /** Number of threads, including this one; default: one per core. */
  readonly jobs?: number;
  /** Whether the command reads the traces of runs too. */
  readonly readsTraces: boolean;
}

/**
 * Prepares runs in worker threads: large files of lines block by block, other files as a whole. Starts no thread
 * for few bytes, for one core, or if the import depends on more than the files. This thread then prepares blocks
 * of traces of this project itself, because that takes less time than to import and evaluate them one by one.
 */
export function prepareInThreads({
  jobs = availableParallelism(),
  readsTraces,
  ...needs
}: PreparedReading): OpenPreparer {
  return (inputs, options, terminal) => {
    const readsCorpus = needs.corpus !== undefined;
    const divided = divideInputs(inputs, options, { jobs, readsTraces, readsCorpus });
    const { own, here, others, whole } = divided;
    const shared = {
      stopped: terminal.stopped,
      onFailure(error: unknown) {
        terminal.warn(
          `a worker thread failed, its recordings are read without it: ${messageOf(error)}`,
        );
      },
    };
    // Reading a corpus leaves little to this thread.
    const workers = readsCorpus ? jobs : jobs - 1;
    const settings = { options: ownLineOptions(options) ?? {}, ...needs };
    const local = createLocalPool(settings);
    const ownPool = createWorkerPool<LineWorkerSettings, BlockRequest, WorkerAnswer>(
      'line-worker',
      {
        ...shared,
        workers,
        settings,
        start: () => takeEarlyWorker() ?? startWorker('line-worker'),
        ...(readsCorpus ? {} : { answer: local.ask }),
      },
    );
    if (own.size > 0) ownPool.start();
    const ownLines = createLinePool(ownPool, { workers, readsCorpus });
    const localLines = createLinePool(local, { workers: 0, readsCorpus });
    const pool = createWorkerPool<InputWorkerSettings, InputRequest | BlockRequest, WorkerAnswer>(
      'input-worker',
      {
        ...shared,
        workers: jobs,
        settings: {
          options: plainOptions(options) ?? {},
          lineOptions: runLineOptions(options),
          ...needs,
        },
      },
    );
    const otherLines = createLinePool(pool, { workers: jobs, readsCorpus });
    const read = createInputPool([...whole].map(pooledInput), pool, jobs);
    return {
      linesOf(input) {
        if (own.has(input)) return ownLines;
        if (here.has(input)) return localLines;
        return others.has(input) ? otherLines : undefined;
      },
      read: (input) => (whole.has(input) ? read(input) : undefined),
    };
  };
}

interface CorpusNeeds {
  /** Text to store; default: none. */
  readonly text?: SpilledTextKind;
  /** Whether the command reads the traces too. */
  readonly readsTraces: boolean;
}

/** Prepares the runs of a corpus in worker threads, for `createCorpusReader`. */
export function prepareCorpus({ text, readsTraces }: CorpusNeeds): OpenPreparer {
  return prepareInThreads({ embedder: 'none', corpus: { text }, readsTraces });
}
