import { expect, it } from 'bun:test';
import { type AnalysisListener, createAnalysisClient } from './analysis-client.ts';
import type { Answer, FileProblem, Request } from './protocol.ts';
import { DEFAULT_SETTINGS } from './settings.ts';

/** A worker that performs a given function once it has all files. */
class StagedWorker extends EventTarget {
  isTerminated = false;
  readonly #files: string[] = [];
  readonly #perform: (worker: StagedWorker, files: readonly string[]) => void;

  constructor(perform: (worker: StagedWorker, files: readonly string[]) => void) {
    super();
    this.#perform = perform;
  }

  postMessage(request: Request): void {
    if (request.kind !== 'files') return;
    this.#files.push(...request.files.map(({ name }) => name));
    if (request.isLast) queueMicrotask(() => this.#perform(this, this.#files));
  }

  answer(data: Answer): void {
    this.dispatchEvent(new MessageEvent('message', { data }));
  }

  die(message: string): void {
    this.dispatchEvent(Object.assign(new Event('error', { cancelable: true }), { message }));
  }

  terminate(): void {
    this.isTerminated = true;
  }
}

function startStaged(
  names: readonly string[],
  perform: (worker: StagedWorker, files: readonly string[]) => void,
) {
  const workers: StagedWorker[] = [];
  return new Promise<{
    outcome: string;
    problems: readonly FileProblem[];
    workers: StagedWorker[];
  }>((resolve) => {
    let problems: readonly FileProblem[] = [];
    const end = (outcome: string) => (): void => resolve({ outcome, problems, workers });
    const listener: AnalysisListener = {
      onProgress: () => undefined,
      onProblems: (all) => {
        problems = all;
      },
      onReport: end('report'),
      onStopped: end('stopped'),
      onFailed: (message) => end(message)(),
      onDownload: end('download'),
    };
    const client = createAnalysisClient(listener, async () => {
      const worker = new StagedWorker(perform);
      workers.push(worker);
      return worker as unknown as Worker;
    });
    const files = names.map((name) => ({ name, file: new Blob() }));
    client.start(files, [], DEFAULT_SETTINGS);
  });
}

function reading(worker: StagedWorker, file: string): void {
  worker.answer({
    kind: 'progress',
    progress: { phase: 'reading', done: 0, total: 1, runs: 0, file },
  });
}

it('restarts without the file that crashed a worker, also for one in an archive', async () => {
  const names = Array.from({ length: 250 }, (_, number) => `${number}.json`);
  const { outcome, problems, workers } = await startStaged([...names, 'a.zip'], (worker, files) => {
    const culprit = ['7.json', 'a.zip'].find((name) => files.includes(name));
    if (culprit === undefined) {
      expect(files).toHaveLength(249);
      worker.answer({ kind: 'report', data: {} as never, repeats: 0 });
      worker.answer({ kind: 'done' });
      return;
    }
    worker.answer({ kind: 'problem', problem: { file: 'once', message: 'found again each time' } });
    reading(worker, culprit === 'a.zip' ? 'a.zip/inner.json' : culprit);
    worker.die('out of memory');
  });
  expect(outcome).toBe('report');
  expect(problems.map(({ file }) => file)).toEqual(['7.json', 'a.zip']);
  expect(problems[0]?.message).toContain('out of memory');
  expect(workers.filter(({ isTerminated }) => isTerminated)).toHaveLength(2);
});

it('gives up after a few crashes, and immediately if no file caused the crash', async () => {
  const names = Array.from({ length: 20 }, (_, number) => `${number}.json`);
  const everywhere = await startStaged(names, (worker, files) => {
    reading(worker, files[0] ?? '');
    worker.die('out of memory');
  });
  expect(everywhere.outcome).toStartWith('The worker ended after 0 runs (out of memory).');
  expect(everywhere.workers.filter(({ isTerminated }) => isTerminated)).toHaveLength(6);
  const comparing = await startStaged(['a.json'], (worker) => {
    worker.answer({
      kind: 'progress',
      progress: { phase: 'comparing', done: 1, total: 9, runs: 9 },
    });
    worker.die('out of memory');
  });
  expect(comparing.outcome).toContain(
    'after 9 runs (out of memory). Try fewer files, or kp report',
  );
});

it('reports the reason if no worker can be created', async () => {
  const failure = new Promise((resolve) => {
    const listener = { onFailed: resolve } as unknown as AnalysisListener;
    const refuse = () => Promise.reject(new Error('worker.js: expected the worker, received 404'));
    createAnalysisClient(listener, refuse).start([], [], DEFAULT_SETTINGS);
  });
  expect(await failure).toBe('worker.js: expected the worker, received 404');
});

it('also stops while the worker is still being created', async () => {
  const made = Promise.withResolvers<Worker>();
  let isStopped = false;
  const listener = { onStopped: () => (isStopped = true) } as unknown as AnalysisListener;
  const client = createAnalysisClient(listener, () => made.promise);
  client.start([{ name: 'a.json', file: new Blob() }], [], DEFAULT_SETTINGS);
  client.stop();
  expect(isStopped).toBe(true);
  const asked: Request[] = [];
  const worker = new StagedWorker(() => undefined);
  worker.postMessage = (request) => void asked.push(request);
  made.resolve(worker as unknown as Worker);
  await Bun.sleep(0);
  expect(asked).toEqual([]);
});

it('keeps the worker of the page while the next files fail', async () => {
  const workers: StagedWorker[] = [];
  const heard: string[] = [];
  const wait: { next?: () => void } = {};
  const event = () => new Promise<void>((resolve) => Object.assign(wait, { next: resolve }));
  const hear = (what: string) => (): void => {
    heard.push(what);
    wait.next?.();
  };
  const listener: AnalysisListener = {
    onProgress: () => undefined,
    onProblems: () => undefined,
    onReport: hear('report'),
    onStopped: hear('stopped'),
    onFailed: hear('failed'),
    onDownload: hear('download'),
  };
  const client = createAnalysisClient(listener, async () => {
    const worker = new StagedWorker((self, files) => {
      if (files.includes('bad.json')) self.answer({ kind: 'failed', message: 'no run' });
      else {
        self.answer({ kind: 'report', data: {} as never, repeats: 0 });
        self.answer({ kind: 'done' });
      }
    });
    workers.push(worker);
    return worker as unknown as Worker;
  });
  const start = async (name: string): Promise<void> => {
    const answered = event();
    client.start([{ name, file: new Blob() }], [], DEFAULT_SETTINGS);
    await answered;
  };
  await start('good.json');
  await start('bad.json');
  expect(heard).toEqual(['report', 'failed']);
  expect(workers.map(({ isTerminated }) => isTerminated)).toEqual([false, true, false]);
  const asked: Request[] = [];
  const [first] = workers;
  if (first !== undefined) first.postMessage = (request) => void asked.push(request);
  const transcript = client.texts.read(0);
  client.download('scores');
  expect(asked.map(({ kind }) => kind)).toEqual(['texts', 'download']);
  first?.answer({ kind: 'texts', id: 0, transcript: undefined });
  expect(await transcript).toBeUndefined();
  await start('other.json');
  expect(workers[0]?.isTerminated).toBe(true);
});
