import type { Worker } from 'node:worker_threads';
import { startWorker, type WorkerProgram } from './start-worker.ts';

/** Requests that a worker has at once: one to answer, and the next one. */
const REQUESTS_PER_WORKER = 2;

/** A request on its way. */
interface Task<Request, Answer> {
  readonly number: number;
  readonly request: Request;
  readonly resolve: (answer: Answer | undefined) => void;
}

interface RunningWorker<Request, Answer> {
  readonly worker: Worker;
  readonly tasks: Map<number, Task<Request, Answer>>;
  isReady: boolean;
}

/** Who does the work, and what happens to failures. */
export interface WorkerPoolOptions<Settings, Request, Answer> {
  readonly workers: number;
  readonly settings: Settings;
  /** Ends all workers. */
  readonly stopped: AbortSignal;
  /** Called when a worker ended early. Its requests have no answer. */
  readonly onFailure: (error: unknown) => void;
  /** Starts a worker. Default: one with the program of the pool. */
  readonly start?: () => Worker;
  /** Answers a request in this thread, for {@link WorkerPool.assist}. Default: this thread never assists. */
  readonly answer?: (request: Request) => Promise<Answer | undefined>;
}

/** The first message to a worker, which answers `ready`. */
export interface FirstMessage<Settings> {
  readonly settings: Settings;
}

/** A message with the number of a request. */
export type Numbered<Message> = Message & { readonly number: number };

/** Worker threads that answer requests. */
export interface WorkerPool<Request, Answer> {
  /** Starts the workers, if there will certainly be requests; default: with the first one. */
  start(): void;
  /** Whether a worker is left, or none was needed yet. */
  isAlive(): boolean;
  /** @returns the answer; undefined if no worker could give it. */
  ask(request: Request): Promise<Answer | undefined>;
  /** Answers the oldest request that no worker has yet in this thread, if there is one. */
  assist(): Promise<void>;
}

/**
 * Creates a pool of worker threads, which run a program with {@link answerRequests} and start with the first
 * request.
 *
 * @param program - which one the workers run.
 */
export function createWorkerPool<Settings, Request, Answer>(
  program: WorkerProgram,
  {
    workers: count,
    settings,
    stopped,
    onFailure,
    start = () => startWorker(program),
    answer,
  }: WorkerPoolOptions<Settings, Request, Answer>,
): WorkerPool<Request, Answer> {
  // While this thread assists, it passes no request on.
  const perWorker = answer === undefined ? REQUESTS_PER_WORKER : REQUESTS_PER_WORKER + 1;
  const waiting: Task<Request, Answer>[] = [];
  const workers = new Set<RunningWorker<Request, Answer>>();
  let requests = 0;
  let isStarted = false;

  function send(): void {
    for (const running of workers) {
      while (running.isReady && running.tasks.size < perWorker) {
        const task = waiting.shift();
        if (task === undefined) break;
        running.tasks.set(task.number, task);
        running.worker.postMessage({ ...task.request, number: task.number });
      }
      // An idle worker must not keep the process alive.
      if (waiting.length > 0 || running.tasks.size > 0) running.worker.ref();
      else running.worker.unref();
    }
  }

  function receive(
    running: RunningWorker<Request, Answer>,
    message: 'ready' | Numbered<Answer>,
  ): void {
    if (message === 'ready') running.isReady = true;
    else {
      const task = running.tasks.get(message.number);
      running.tasks.delete(message.number);
      task?.resolve(message);
    }
    send();
  }

  function end(running: RunningWorker<Request, Answer>): void {
    if (!workers.delete(running)) return;
    void running.worker.terminate();
    for (const { resolve } of running.tasks.values()) resolve(undefined);
    if (workers.size === 0) for (const { resolve } of waiting.splice(0)) resolve(undefined);
  }

  function fail(running: RunningWorker<Request, Answer>, error: unknown): void {
    if (!workers.has(running)) return;
    end(running);
    onFailure(error);
  }

  function startAll(): void {
    if (isStarted || stopped.aborted) return;
    isStarted = true;
    for (let index = 0; index < count; index++) {
      const tasks: RunningWorker<Request, Answer>['tasks'] = new Map();
      const running = { worker: start(), tasks, isReady: false };
      workers.add(running);
      running.worker.on('message', (message) => receive(running, message));
      running.worker.on('error', (error) => fail(running, error));
      running.worker.on('exit', () => fail(running, new Error('it ended early')));
      const first: FirstMessage<Settings> = { settings };
      running.worker.postMessage(first);
    }
    stopped.addEventListener('abort', () => [...workers].forEach(end));
  }

  return {
    start: startAll,
    isAlive: () => !isStarted || workers.size > 0,
    ask(request) {
      const { promise, resolve } = Promise.withResolvers<Answer | undefined>();
      const number = requests++;
      startAll();
      if (workers.size === 0) resolve(undefined);
      else {
        waiting.push({ number, request, resolve });
        send();
      }
      return promise;
    },
    async assist() {
      if (answer === undefined) return;
      const task = waiting.shift();
      if (task !== undefined) task.resolve(await answer(task.request).catch(() => undefined));
    },
  };
}
