import { Worker } from 'node:worker_threads';
import type { LineBlock, LinePreparer, PreparedLines } from '@kp/importers';
import type { BlockAnswer, BlockRequest, WorkerSettings } from '../runs/prepared-block.ts';
import { preparedLines } from '../runs/prepared-run.ts';

/** Blocks that a worker has at once: one to prepare, and the next one. */
const BLOCKS_PER_WORKER = 2;
/** Blocks that are read ahead for each worker: while this thread uses one, no worker may become idle. */
const BLOCKS_AHEAD = 6;

/** A block on its way. */
interface Task {
  readonly request: BlockRequest;
  readonly resolve: (lines: PreparedLines | undefined) => void;
}

interface RunningWorker {
  readonly worker: Worker;
  readonly tasks: Map<number, Task>;
  isReady: boolean;
}

export interface LinePoolOptions {
  readonly workers: number;
  readonly settings: WorkerSettings;
  /** Ends all workers. */
  readonly stopped: AbortSignal;
  /** Called when a worker ended early. Its blocks are read in this thread. */
  readonly onFailure: (error: unknown) => void;
  /** Starts a worker; for tests. */
  readonly start?: (settings: WorkerSettings) => Worker;
}

/**
 * Prepares blocks in worker threads, which start at once. If all of them fail, the import reads the lines
 * itself.
 */
export function createLinePool({
  workers: count,
  settings,
  stopped,
  onFailure,
  start = startWorker,
}: LinePoolOptions): LinePreparer {
  const waiting: Task[] = [];
  const workers = new Set<RunningWorker>();
  let blocks = 0;

  function send(): void {
    for (const running of workers) {
      while (running.isReady && running.tasks.size < BLOCKS_PER_WORKER) {
        const task = waiting.shift();
        if (task === undefined) break;
        running.tasks.set(task.request.number, task);
        running.worker.postMessage(task.request);
      }
      // An idle worker must not keep the process alive.
      if (waiting.length > 0 || running.tasks.size > 0) running.worker.ref();
      else running.worker.unref();
    }
  }

  function receive(running: RunningWorker, message: 'ready' | BlockAnswer): void {
    if (message === 'ready') running.isReady = true;
    else {
      const task = running.tasks.get(message.number);
      running.tasks.delete(message.number);
      task?.resolve(preparedLines(message));
    }
    send();
  }

  function end(running: RunningWorker): void {
    if (!workers.delete(running)) return;
    void running.worker.terminate();
    for (const { resolve } of running.tasks.values()) resolve(undefined);
    if (workers.size === 0) for (const { resolve } of waiting.splice(0)) resolve(undefined);
  }

  function fail(running: RunningWorker, error: unknown): void {
    if (!workers.has(running)) return;
    end(running);
    onFailure(error);
  }

  for (let index = 0; index < count; index++) {
    const running: RunningWorker = { worker: start(settings), tasks: new Map(), isReady: false };
    workers.add(running);
    running.worker.on('message', (message) => receive(running, message));
    running.worker.on('error', (error) => fail(running, error));
    running.worker.on('exit', () => fail(running, new Error('it ended early')));
  }
  send();
  stopped.addEventListener('abort', () => [...workers].forEach(end));

  return {
    blocksAhead: BLOCKS_AHEAD * count,
    prepare({ bytes, line, file }: LineBlock) {
      if (workers.size === 0) return () => undefined;
      const request: BlockRequest = { number: blocks++, bytes, line, file };
      const { promise, resolve } = Promise.withResolvers<PreparedLines | undefined>();
      waiting.push({ request, resolve });
      send();
      return () => promise;
    },
  };
}

function startWorker(workerData: WorkerSettings): Worker {
  const isSource = import.meta.url.endsWith('.ts');
  const url = isSource
    ? new URL('../line-worker.ts', import.meta.url)
    : new URL('./line-worker.js', import.meta.url);
  return new Worker(url, { workerData });
}
