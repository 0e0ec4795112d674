import { Worker } from 'node:worker_threads';

/** The programs of workers, which are files beside the program of the command. */
export type WorkerProgram = 'line-worker' | 'input-worker';

/** Starts a worker. It waits for its settings as the first message. */
export function startWorker(program: WorkerProgram): Worker {
  const isSource = import.meta.url.endsWith('.ts');
  // Written out, so that bundlers find both programs.
  const urls = isSource
    ? {
        'line-worker': new URL('../line-worker.ts', import.meta.url),
        'input-worker': new URL('../input-worker.ts', import.meta.url),
      }
    : {
        'line-worker': new URL('./line-worker.js', import.meta.url),
        'input-worker': new URL('./input-worker.js', import.meta.url),
      };
  return new Worker(urls[program]);
}
