import { locatePackage } from './optional-peer.ts';
import type { WorkerLike } from './worker/worker-like.ts';

/** The other end of a worker, the same under browsers, Bun and Node. */
export interface Thread<Sent, Received> {
  post(message: Sent, transfer?: ArrayBuffer[]): void;
  onMessage(receive: (message: Received) => void): void;
  /** Called when the thread has died. */
  onFailure(receive: (cause: unknown) => void): void;
  /** Whether the thread keeps the process alive. */
  keepAlive(isKept: boolean): void;
  terminate(): void;
}

interface NodeWorker {
  postMessage(message: unknown, transfer?: ArrayBuffer[]): void;
  on(event: 'message' | 'error' | 'exit', receive: (value: unknown) => void): void;
  ref(): void;
  unref(): void;
  terminate(): Promise<unknown>;
}

interface WorkerThreads {
  readonly Worker: new (url: URL) => NodeWorker;
}

interface ProcessLike {
  getBuiltinModule?(name: string): unknown;
}

/**
 * A thread that runs the embedder, in a Web Worker where there are such, else in a Node worker.
 *
 * The file of the worker is looked up by the package's name when it is needed: a path in the source
 * would have every bundler look for that file, also for programs that never start a thread.
 *
 * @param create - starts the worker where it cannot be looked up, which is so in a bundle.
 */
export function startThread<Sent, Received>(create?: () => WorkerLike): Thread<Sent, Received> {
  if (create !== undefined) return webThread(create());
  const file = locatePackage('@kp/embedder/worker');
  if (file === undefined) throw new Error('a program without @kp/embedder/worker beside it');
  if (typeof Worker === 'function') return webThread(new Worker(file, { type: 'module' }));
  const { process } = globalThis as { process?: ProcessLike };
  const threads = process?.getBuiltinModule?.('node:worker_threads') as WorkerThreads | undefined;
  if (threads === undefined) throw new Error('no workers in this runtime');
  return nodeThread(new threads.Worker(new URL(file)));
}

function webThread<Sent, Received>(worker: WorkerLike): Thread<Sent, Received> {
  const { ref, unref } = worker as { ref?(): void; unref?(): void };
  return {
    post: (message, transfer = []) => worker.postMessage(message, transfer),
    onMessage: (receive) => {
      worker.addEventListener('message', ({ data }) => receive(data as Received));
    },
    onFailure: (receive) => {
      worker.addEventListener('error', (event) => receive(event.error ?? event.message));
      worker.addEventListener('close', () => receive('the worker has ended'));
    },
    keepAlive: (isKept) => (isKept ? ref : unref)?.call(worker),
    terminate: () => worker.terminate(),
  };
}

function nodeThread<Sent, Received>(worker: NodeWorker): Thread<Sent, Received> {
  return {
    post: (message, transfer) => worker.postMessage(message, transfer),
    onMessage: (receive) => worker.on('message', (message) => receive(message as Received)),
    onFailure: (receive) => {
      worker.on('error', receive);
      worker.on('exit', () => receive('the worker has ended'));
    },
    keepAlive: (isKept) => (isKept ? worker.ref() : worker.unref()),
    terminate: () => void worker.terminate(),
  };
}
