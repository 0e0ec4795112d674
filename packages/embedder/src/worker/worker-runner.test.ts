import { describe, expect, it } from 'bun:test';
import { join } from 'node:path';
import type { WorkerLike } from '../transformers/thread.ts';
import type { Answer, Request } from './messages.ts';
import { createWorkerRunner } from './worker-runner.ts';

/** A worker controlled by a test, which sends its responses. */
class DrivenWorker extends EventTarget implements WorkerLike {
  readonly received: Request[] = [];
  isTerminated = false;
  readonly #react: (request: Request, worker: DrivenWorker) => void;

  constructor(react: (request: Request, worker: DrivenWorker) => void = () => undefined) {
    super();
    this.#react = react;
  }

  postMessage(request: Request): void {
    this.received.push(request);
    this.#react(request, this);
  }

  answer(data: Answer): void {
    this.dispatchEvent(Object.assign(new Event('message'), { data }));
  }

  die(message: string): void {
    this.dispatchEvent(Object.assign(new Event('error'), { message }));
  }

  terminate(): void {
    this.isTerminated = true;
  }
}

describe('createWorkerRunner with a failing worker', () => {
  const limits = { startMs: 20, cancelMs: 20, closeMs: 20 };
  const embeddings = [{ vector: Float32Array.of(1), truncated: false }];
  /** A worker that works correctly except for the parts that `change` replaces. */
  const worker = (change: (request: Request, worker: DrivenWorker) => boolean = () => false) =>
    new DrivenWorker((request, self) => {
      if (change(request, self)) return;
      if (request.type === 'start') self.answer({ type: 'started' });
      else if (request.type !== 'cancel') {
        self.answer({ type: 'done', number: request.number, embeddings });
      }
    });
  const runnerOf = (...workers: DrivenWorker[]) =>
    createWorkerRunner({ worker: () => workers.shift() as DrivenWorker }, limits);

  it.each([
    [
      'says nothing',
      new DrivenWorker(),
      'no message (does its file import @kp/embedder/worker, and was it bundled?) for 20 ms',
    ],
    [
      'cannot be started',
      worker(() => {
        throw new Error('cannot be cloned');
      }),
      'cannot be cloned',
    ],
    [
      'crashes at the start',
      worker(({ type }, self) => type === 'start' && self.die('no such file') === undefined),
      'no such file',
    ],
    [
      'dies at the start and cannot be restarted',
      worker((_, self) => {
        self.die('no such file');
        throw new Error('cannot be cloned');
      }),
      'no such file',
    ],
    [
      'dies when it receives a request',
      worker(({ type }, self) => type === 'embed' && self.die('out of memory') === undefined),
      'out of memory',
    ],
  ])(
    '%s: rejects the call, terminates the worker and uses another one for the next call',
    async (_, bad, said) => {
      const good = worker();
      const runner = runnerOf(bad, good);
      await expect(runner.embed(['a'], {})).rejects.toMatchObject({
        code: 'WORKER_FAILED',
        subject: 'worker',
        expected: 'a running worker thread',
        received: said,
        remedy:
          'omit worker or, in a bundle or an executable, set it to a function that starts a worker ' +
          'which imports @kp/embedder/worker',
      });
      expect(bad.isTerminated).toBe(true);
      expect(await runner.embed(['a'], {})).toEqual(embeddings);
      await runner.close();
      expect(good.isTerminated).toBe(true);
    },
  );

  it('keeps the replacement of a dead worker despite late events of the dead one', async () => {
    const [first, second] = [worker(), worker()];
    const runner = runnerOf(first, second);
    await runner.ready();
    first.die('out of memory');
    await runner.ready();
    first.die('it has ended');
    expect(await runner.embed(['a'], {})).toEqual(embeddings);
    expect(second.isTerminated).toBe(false);
    await runner.close();
  });

  it('rejects only the call that failed in the worker and continues', async () => {
    const picky = worker((request, self) => {
      if (request.type !== 'embed' || request.texts[0] !== 'bad') return false;
      const error = { name: 'RangeError', message: 'not this one' };
      self.answer({ type: 'failed', number: request.number, error });
      return true;
    });
    const runner = runnerOf(picky);
    const calls = [['a'], ['bad'], ['b']].map((texts) => runner.embed(texts, {}));
    const [first, failed, last] = await Promise.allSettled(calls);
    expect([first, last].map((call) => Reflect.get(call as object, 'value'))).toEqual([
      embeddings,
      embeddings,
    ]);
    expect(failed).toMatchObject({
      status: 'rejected',
      reason: { name: 'RangeError', message: 'not this one' },
    });
    expect(picky.isTerminated).toBe(false);
    await runner.close();
  });

  it('releases a cancelled call immediately and terminates a worker that does not stop it', async () => {
    const stuck = worker(({ type }) => type === 'embed');
    const runner = runnerOf(stuck, worker());
    const controller = new AbortController();
    const cancelled = runner.embed(['a'], { signal: controller.signal });
    const behind = runner.embed(['b'], {});
    controller.abort(new Error('enough'));
    await expect(cancelled).rejects.toThrow('enough');
    expect(stuck.received.at(-1)).toEqual({ type: 'cancel', cancelled: 0 });
    await expect(behind).rejects.toMatchObject({
      code: 'WORKER_FAILED',
      received: 'a cancelled call that did not end for 20 ms',
    });
    expect(stuck.isTerminated).toBe(true);
    expect(await runner.embed(['c'], {})).toEqual(embeddings);
    await runner.close();
  });

  it('rejects only the call that cannot be sent', async () => {
    const picky = worker((request) => {
      if (request.type === 'embed' && request.texts[0] === 'bad')
        throw new Error('cannot be cloned');
      return false;
    });
    const runner = runnerOf(picky);
    await runner.ready();
    await expect(runner.embed(['bad'], {})).rejects.toMatchObject({
      code: 'WORKER_FAILED',
      received: 'cannot be cloned',
    });
    expect(await runner.embed(['good'], {})).toEqual(embeddings);
    expect(picky.isTerminated).toBe(false);
    await runner.close();
  });

  it('lets the worker close its resources before terminating it', async () => {
    let hasClosed = false;
    const good = worker(({ type }, self) => {
      if (type !== 'close') return false;
      expect(self.isTerminated).toBe(false);
      hasClosed = true;
      return false;
    });
    const runner = runnerOf(good);
    await runner.close();
    expect(good.received).toEqual([]);
    await runner.ready();
    await runner.close();
    expect(good.received.map(({ type }) => type)).toEqual(['start', 'ready', 'close']);
    expect([hasClosed, good.isTerminated]).toEqual([true, true]);
  });

  it('closes although the worker is stuck and rejects its calls', async () => {
    const stuck = worker(({ type }) => type === 'embed' || type === 'close');
    const runner = runnerOf(stuck);
    const pending = runner.embed(['a'], {}).catch((error: unknown) => error);
    await runner.close();
    expect(await pending).toMatchObject({ code: 'EMBEDDER_CLOSED' });
    expect(stuck.isTerminated).toBe(true);
  });

  it('terminates the worker if a callback throws and rejects with its error', async () => {
    const progress = { file: 'config.json', loaded: 1, total: 2 };
    const telling = worker(
      ({ type }, self) =>
        type === 'ready' && self.answer({ type: 'progress', progress }) === undefined,
    );
    const onProgress = () => {
      throw new Error('no room on the screen');
    };
    const runner = createWorkerRunner({ worker: () => telling, onProgress }, limits);
    await expect(runner.ready()).rejects.toThrow('no room on the screen');
    expect(telling.isTerminated).toBe(true);
  });

  it('does not keep the process alive after a failed start or for a cancelled call', async () => {
    const file = JSON.stringify(join(import.meta.dirname, 'worker-runner.ts'));
    const program = `
      import { Worker } from 'node:worker_threads';
      import { createWorkerRunner } from ${file};
      const worker = () => new Worker('setInterval(() => 0, 1000)', { eval: true });
      const failing = createWorkerRunner({ worker, sessionOptions: { log: () => 0 } });
      await failing.ready().catch((error) => console.log(error.code));
      const silent = createWorkerRunner({ worker }, { startMs: 50, cancelMs: 50, closeMs: 50 });
      await silent.ready().catch((error) => console.log(error.code));
      const signal = AbortSignal.timeout(50);
      const cancelled = createWorkerRunner({ worker }, { startMs: 60_000, cancelMs: 60_000, closeMs: 50 });
      await cancelled.embed(['a'], { signal }).catch((error) => console.log(error.name));
    `;
    const child = Bun.spawn([process.execPath, '-e', program], { stdout: 'pipe', timeout: 50_000 });
    expect(await child.exited).toBe(0);
    expect(await new Response(child.stdout).text()).toBe(
      'WORKER_FAILED\nWORKER_FAILED\nTimeoutError\n',
    );
  }, 60_000);
});
