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

/** A thread that runs the embedder, in a Web Worker where there are such, else in a Node worker. */
export function startThread<Sent, Received>(create?: () => WorkerLike): Thread<Sent, Received> {
  if (create !== undefined) return webThread(create());
  if (typeof Worker === 'function') return webThread(newWebWorker());
  const { process } = globalThis as { process?: ProcessLike };
  const threads = process?.getBuiltinModule?.('node:worker_threads') as WorkerThreads | undefined;
  if (threads === undefined) throw new Error('no workers in this runtime');
  return nodeThread(new threads.Worker(new URL('./embedder-worker.js', import.meta.url)));
}

function newWebWorker(): WorkerLike {
  // Bundlers look for this very form, and this file and the worker's stay side by side when bundled. The sources are run as they are under Bun alone.
  return import.meta.url.endsWith('.ts')
    ? new Worker(new URL('./embedder-worker.ts', import.meta.url), { type: 'module' })
    : new Worker(new URL('./embedder-worker.js', import.meta.url), { type: 'module' });
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
