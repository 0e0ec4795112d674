import { nodeModule } from '../files/node-modules.ts';
import { locatePackage } from '../loading.ts';

/** The part of a Web Worker that is used, so that programs without the types of a browser compile. */
export interface WorkerLike {
  /**
   * Sends a message.
   *
   * @param message - anything that can be cloned.
   * @param transfer - buffers that are handed over instead of copied.
   */
  postMessage(message: unknown, transfer: ArrayBuffer[]): void;
  /**
   * Adds a listener.
   *
   * @param type - `message`, `messageerror` or `error`.
   * @param listener - told of each.
   */
  addEventListener(type: string, listener: (event: WorkerEventLike) => void): void;
  /** Ends the worker. */
  terminate(): void;
}

/** An event of a worker: a message has `data`, a failure `error` or `message`. */
export interface WorkerEventLike {
  /** `message`, `messageerror` or `error`. */
  readonly type: string;
  /** What was sent. */
  readonly data?: unknown;
  /** What was thrown. */
  readonly error?: unknown;
  /** What went wrong, in words. */
  readonly message?: string;
}

/** The part of a worker of `node:worker_threads` that is used. */
export interface NodeWorkerLike {
  /**
   * Sends a message.
   *
   * @param message - anything that can be cloned.
   * @param transfer - buffers that are handed over instead of copied.
   */
  postMessage(message: unknown, transfer?: ArrayBuffer[]): void;
  /**
   * Adds a listener.
   *
   * @param event - `message`, `messageerror`, `error` or `exit`.
   * @param receive - told of each.
   */
  on(event: string, receive: (value: unknown) => void): unknown;
  /** Lets the worker keep the process alive. */
  ref(): void;
  /** Lets the process end while the worker is idle. */
  unref(): void;
  /** Ends the worker. */
  terminate(): Promise<unknown>;
}

/** The other end of a worker, the same under browsers, Bun and Node. */
export interface Thread<Sent, Received> {
  post(message: Sent, transfer?: ArrayBuffer[]): void;
  onMessage(receive: (message: Received) => void): void;
  /** Called when the thread has died, or sent what cannot be read. */
  onFailure(receive: (cause: unknown) => void): void;
  /** Whether the thread keeps the process alive. */
  keepAlive(isKept: boolean): void;
  terminate(): void;
}

interface WorkerThreads {
  readonly Worker: new (url: URL) => NodeWorkerLike;
  readonly parentPort: NodePort | null;
}

/**
 * A thread that runs the embedder, in a Web Worker where there are such, else in a Node worker.
 *
 * The file of the worker is looked up by the package's name when it is needed: a path in the source
 * would have every bundler look for that file, also for programs that never start a thread.
 *
 * @param create - starts the worker where it cannot be looked up, which is so in a bundle.
 */
export function startThread<Sent, Received>(
  create?: () => WorkerLike | NodeWorkerLike,
): Thread<Sent, Received> {
  if (create !== undefined) {
    const worker = create();
    return 'on' in worker ? nodeThread(worker) : webThread(worker);
  }
  const file = locatePackage('@kp/embedder/worker');
  if (file === undefined) throw new Error('a program without @kp/embedder/worker beside it');
  if (typeof Worker === 'function') return webThread(new Worker(file, { type: 'module' }));
  const threads = nodeModule<WorkerThreads>('node:worker_threads');
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
      worker.addEventListener('messageerror', () => receive('a message that cannot be read'));
      worker.addEventListener('close', () => receive('the worker has ended'));
    },
    keepAlive: (isKept) => (isKept ? ref : unref)?.call(worker),
    terminate: () => worker.terminate(),
  };
}

function nodeThread<Sent, Received>(worker: NodeWorkerLike): Thread<Sent, Received> {
  return {
    post: (message, transfer) => worker.postMessage(message, transfer),
    onMessage: (receive) => worker.on('message', (message) => receive(message as Received)),
    onFailure: (receive) => {
      worker.on('error', receive);
      worker.on('messageerror', receive);
      worker.on('exit', () => receive('the worker has ended'));
    },
    keepAlive: (isKept) => (isKept ? worker.ref() : worker.unref()),
    terminate: () => void worker.terminate(),
  };
}

interface NodePort {
  postMessage(message: unknown, transfer?: ArrayBuffer[]): void;
  on(event: 'message', receive: (message: unknown) => void): void;
}

interface WebScope {
  postMessage(message: unknown, transfer?: ArrayBuffer[]): void;
  addEventListener(event: 'message', receive: (event: MessageEvent) => void): void;
}

/** The thread that started this one, seen from inside a worker. */
export function parentThread<Sent, Received>(): Pick<Thread<Sent, Received>, 'post' | 'onMessage'> {
  const { self } = globalThis as { self?: Partial<WebScope> };
  if (typeof self?.postMessage === 'function') {
    const scope = self as WebScope;
    return {
      post: (message, transfer = []) => scope.postMessage(message, transfer),
      onMessage: (receive) => {
        scope.addEventListener('message', ({ data }) => receive(data as Received));
      },
    };
  }
  const parentPort = nodeModule<WorkerThreads>('node:worker_threads')?.parentPort;
  if (!parentPort) throw new Error('expected to run in a worker');
  return {
    post: (message, transfer) => parentPort.postMessage(message, transfer),
    onMessage: (receive) => parentPort.on('message', (message) => receive(message as Received)),
  };
}
