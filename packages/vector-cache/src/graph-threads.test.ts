import { afterEach, describe, expect, it, spyOn } from 'bun:test';
import { createRandom } from '../test/random.ts';
import { type BlockPair, type BlockShape, type Blocks, openBlocks } from './graph-blocks.ts';
import { compareAll } from './graph-run.ts';
import { startThread } from './graph-threads.ts';
import { similarityGraph } from './index.ts';
import { availableThreads } from './platform.ts';
import { TopHits } from './top-hits.ts';

type Message = BlockPair | { bytes: Uint8Array<ArrayBuffer>; shape: BlockShape };
type Event = 'message' | 'error' | 'exit';

/** A worker in this thread, which answers when the test says so. */
class DrivenWorker {
  static readonly all: DrivenWorker[] = [];
  static begin: (worker: DrivenWorker) => void = (worker) => worker.run();

  readonly waiting: Message[] = [];
  most = 0;
  isTerminated = false;
  isRunning = false;
  readonly #listeners = new Map<Event, (value: unknown) => void>();
  #blocks: Blocks | undefined;

  constructor() {
    DrivenWorker.all.push(this);
    queueMicrotask(() => DrivenWorker.begin(this));
  }

  on(event: Event, listener: (value: unknown) => void): void {
    this.#listeners.set(event, listener);
  }

  emit(event: Event, value?: unknown): void {
    this.#listeners.get(event)?.(value);
  }

  postMessage(message: Message): void {
    this.waiting.push(message);
    this.most = Math.max(this.most, this.waiting.length);
    if (this.isRunning) queueMicrotask(() => this.work());
  }

  terminate(): void {
    this.isTerminated = true;
  }

  /** From now on answers as a worker does. */
  run(): void {
    this.isRunning = true;
    for (const _ of [...this.waiting]) this.work();
  }

  /** Does what it was given first. */
  work(): void {
    const message = this.waiting.shift();
    if (message === undefined || this.isTerminated) return;
    if ('bytes' in message) {
      this.#blocks = openBlocks(message.bytes, message.shape);
      this.emit('message', 'ready');
      return;
    }
    this.#blocks?.load(message);
    this.#blocks?.compare(0, message.b.count);
    this.emit('message', this.#blocks?.hits());
  }
}

const { getBuiltinModule } = process;
const processors = { availableParallelism: () => 2 };
const begin = DrivenWorker.begin;

function withDrivenWorkers(): DrivenWorker[] {
  DrivenWorker.all.length = 0;
  process.getBuiltinModule = (name: string) => {
    if (name === 'node:os') return processors;
    if (name === 'node:worker_threads') return { Worker: DrivenWorker };
    return getBuiltinModule(name);
  };
  return DrivenWorker.all;
}
afterEach(() => {
  process.getBuiltinModule = getBuiltinModule;
  DrivenWorker.begin = begin;
});

const random = createRandom(7);
// Blocks of 64 rows: 5 of them, which are 15 pairs.
const vectors = Array.from({ length: 300 }, () => Array.from({ length: 16 }, () => random() - 0.5));
const keys = vectors.map((_, index) => `${index}`);
const alone = await similarityGraph(vectors, { keys, neighbors: 5, threads: 1 });

async function graphOn(threads: number | undefined, count = 300) {
  const options = { keys: keys.slice(0, count), neighbors: 5, threads };
  const {
    computation,
    similarity: _,
    ...graph
  } = await similarityGraph(vectors.slice(0, count), options);
  return { computation, graph };
}
const { computation: _, similarity: __, ...expected } = alone;

describe('threads that compare', () => {
  it('are given two pairs ahead, of shared memory, and are stopped at the end', async () => {
    const workers = withDrivenWorkers();
    const shared: boolean[] = [];
    DrivenWorker.begin = (worker) => {
      worker.work();
      shared.push(
        ...worker.waiting.map((message) => {
          return 'a' in message && message.a.values.buffer instanceof SharedArrayBuffer;
        }),
      );
      worker.run();
    };
    const { computation, graph } = await graphOn(2);
    expect(computation).toEqual({ engine: 'wasm-simd', threads: 2, fallback: undefined });
    expect(graph).toEqual(expected);
    expect(shared).toEqual([true, true, true, true]);
    expect(workers.map(({ most, isTerminated }) => [most, isTerminated])).toEqual([
      [2, true],
      [2, true],
    ]);
  });

  it('are no more than there are pairs, and none where one does it all', async () => {
    const workers = withDrivenWorkers();
    expect((await graphOn(99)).computation.threads).toBe(15);
    expect(workers).toHaveLength(15);
    workers.length = 0;
    expect((await graphOn(2, 64)).computation.threads).toBe(1);
    expect((await graphOn(1)).computation.threads).toBe(1);
    // So little is not worth their start.
    expect((await graphOn(undefined)).computation.threads).toBe(1);
    expect(workers).toHaveLength(0);
  });

  it.each([
    // One pair of rows of so many values, which is as many multiplications.
    [1e9, 2],
    [1e9 - 1, 0],
  ])('are started by themselves for a billion multiplications: %p', async (length, started) => {
    const workers = withDrivenWorkers();
    DrivenWorker.begin = (worker) => worker.emit('exit');
    const blocks = { load: () => undefined, compare: () => undefined };
    const kernel = {
      bytes: new Uint8Array(),
      shape: { length, rows: 1, limit: 1 },
      blocks: { ...blocks, hits: () => [new ArrayBuffer(0), new ArrayBuffer(0)] as const },
      refusal: undefined,
    };
    const work = {
      ...{ order: Int32Array.of(0, 1), size: 2, length: 8, values: new Float32Array(64) },
      ...{ isShared: true, isInGroups: true, top: new TopHits(2, 1), pause: async () => undefined },
      ...{ signal: undefined, onProgress: undefined },
    };
    await compareAll(work, kernel, undefined);
    expect(workers).toHaveLength(started);
  });

  it('leave what they were given to the others when they fail', async () => {
    const workers = withDrivenWorkers();
    let begun = 0;
    DrivenWorker.begin = (worker) => {
      worker.work();
      if (++begun < 2) return;
      // Both have two pairs and have answered none.
      expect(workers.map(({ waiting }) => waiting.length)).toEqual([2, 2]);
      worker.emit('error', new Error('out of memory'));
      worker.emit('exit');
      worker.emit('message', []);
      expect(worker.isTerminated).toBe(true);
      workers[0]?.run();
    };
    const { computation, graph } = await graphOn(2);
    expect(computation).toEqual({ engine: 'wasm-simd', threads: 1, fallback: 'out of memory' });
    expect(graph).toEqual(expected);
  });

  it('leave what they were given also to those that were done', async () => {
    const workers = withDrivenWorkers();
    DrivenWorker.begin = (worker) => {
      if (worker === workers[0]) {
        worker.run();
        return;
      }
      worker.work();
      // All others have been answered by the first then, which has nothing left to do.
      setImmediate(() => {
        expect(workers.map(({ waiting }) => waiting.length)).toEqual([0, 2]);
        worker.emit('exit');
      });
    };
    const { computation, graph } = await graphOn(2);
    expect(computation).toEqual({ engine: 'wasm-simd', threads: 1, fallback: 'worker: ended' });
    expect(graph).toEqual(expected);
  });

  it('leave it to this thread when all have failed', async () => {
    const workers = withDrivenWorkers();
    DrivenWorker.begin = (worker) => {
      worker.work();
      worker.emit('exit');
    };
    const { computation, graph } = await graphOn(2);
    expect(computation).toEqual({ engine: 'wasm-simd', threads: 1, fallback: 'worker: ended' });
    expect(graph).toEqual(expected);
    expect(workers).toHaveLength(2);
  });

  it('are given ten seconds to begin', async () => {
    withDrivenWorkers();
    const waits: unknown[] = [];
    const timers: (() => void)[] = [];
    const wait = spyOn(globalThis, 'setTimeout').mockImplementation(((
      run: () => void,
      ms: number,
    ) => {
      waits.push(ms);
      timers.push(run);
      return 0;
    }) as never);
    DrivenWorker.begin = () => {
      for (const run of timers) run();
    };
    try {
      const { computation, graph } = await graphOn(2);
      expect(computation).toMatchObject({ threads: 1, fallback: 'worker: no answer' });
      expect(graph).toEqual(expected);
      expect(waits).toEqual([10_000, 10_000]);
    } finally {
      wait.mockRestore();
    }
  });

  it('are stopped when a listener throws', async () => {
    const workers = withDrivenWorkers();
    const onProgress = () => {
      throw new Error('no more');
    };
    const work = similarityGraph(vectors, { keys, threads: 2, onProgress });
    await expect(work).rejects.toThrow('no more');
    expect(workers.map(({ isTerminated }) => isTerminated)).toEqual([true, true]);
  });
});

describe('startThread', () => {
  const shape = { length: 8, rows: 1, limit: 1 };
  const pair = {} as BlockPair;

  /** Starts a thread, and what it tells. */
  function started() {
    const told: string[] = [];
    const thread = startThread(new Uint8Array(), shape, {
      onReady: () => told.push('ready'),
      onHits: () => told.push('hits'),
      onFailure: (reason) => told.push(reason),
    });
    return { thread, told };
  }

  /** How many timers are running after each of some steps. */
  function countingTimers() {
    const running = new Set<unknown>();
    let next = 0;
    const set = spyOn(globalThis, 'setTimeout').mockImplementation((() => {
      running.add(++next);
      return next;
    }) as never);
    const clear = spyOn(globalThis, 'clearTimeout').mockImplementation(((timer: unknown) => {
      running.delete(timer);
    }) as never);
    const restore = () => {
      set.mockRestore();
      clear.mockRestore();
    };
    return { running, restore };
  }

  it.each([
    ['ready', (worker: DrivenWorker | undefined) => worker?.emit('message', 'ready')],
    ['ended', (worker: DrivenWorker | undefined) => worker?.emit('exit')],
  ])('waits no longer for a worker that is %s', async (_, happen) => {
    const { running, restore } = countingTimers();
    try {
      const workers = withDrivenWorkers();
      DrivenWorker.begin = () => undefined;
      started();
      await Promise.resolve();
      expect(running.size).toBe(1);
      happen(workers[0]);
      expect(running.size).toBe(0);
    } finally {
      restore();
    }
  });

  it('starts no worker when it is stopped before, and waits for none', async () => {
    const { running, restore } = countingTimers();
    try {
      const workers = withDrivenWorkers();
      const { thread, told } = started();
      thread.stop();
      expect(running.size).toBe(0);
      await Promise.resolve();
      expect([workers.length, told]).toEqual([0, []]);
    } finally {
      restore();
    }
  });

  it('tells nothing any more when it was stopped', async () => {
    const workers = withDrivenWorkers();
    DrivenWorker.begin = () => undefined;
    const { thread, told } = started();
    await Promise.resolve();
    thread.stop();
    for (const event of ['message', 'error', 'exit'] as const) workers[0]?.emit(event, 'ready');
    expect(told).toEqual([]);
    expect(workers[0]?.isTerminated).toBe(true);
  });

  it('tells why there is no worker', async () => {
    withDrivenWorkers();
    class Refused {
      constructor() {
        throw new Error('no more threads');
      }
    }
    process.getBuiltinModule = (() => ({ Worker: Refused })) as never;
    const { told } = started();
    await Promise.resolve();
    expect(told).toEqual(['no more threads']);
  });

  it('starts the workers of a browser, and gives back the address of their program', async () => {
    process.getBuiltinModule = (() => undefined) as unknown as typeof getBuiltinModule;
    const { Worker } = globalThis;
    const made: PageWorker[] = [];
    const sent: unknown[] = [];
    let ended = 0;
    class PageWorker {
      onmessage = (_event: { data: unknown }): void => undefined;
      onerror = (_event: { message?: string }): void => undefined;
      readonly url: string;
      constructor(url: string) {
        this.url = url;
        made.push(this);
      }
      postMessage(message: unknown): void {
        sent.push(message);
      }
      terminate(): void {
        ended++;
      }
    }
    Object.assign(globalThis, { Worker: PageWorker });
    const revoked = spyOn(URL, 'revokeObjectURL');
    try {
      const [one, other] = [started(), started()];
      await Promise.resolve();
      const [first, second] = made as [PageWorker, PageWorker];
      expect(await (await fetch(first.url)).text()).toContain('openBlocks');
      first.onmessage({ data: 'ready' });
      one.thread.compare(pair);
      first.onmessage({ data: [] });
      expect(sent.at(-1)).toBe(pair);
      one.thread.stop();
      second.onerror({});
      expect([one.told, other.told]).toEqual([['ready', 'hits'], ['worker: refused']]);
      const third = started();
      await Promise.resolve();
      made[2]?.onerror({ message: 'not by this page' });
      expect(third.told).toEqual(['not by this page']);
      expect(ended).toBe(3);
      expect(revoked.mock.calls).toEqual(made.map(({ url }) => [url]));
    } finally {
      revoked.mockRestore();
      Object.assign(globalThis, { Worker });
    }
  });
});

describe('availableThreads', () => {
  it('are as many as the platform tells of, or one', () => {
    withDrivenWorkers();
    expect(availableThreads()).toBe(2);
    process.getBuiltinModule = (() => undefined) as unknown as typeof getBuiltinModule;
    const { navigator } = globalThis;
    const as = (value: unknown): number => {
      Object.defineProperty(globalThis, 'navigator', { value, configurable: true });
      return availableThreads();
    };
    try {
      expect([as({ hardwareConcurrency: 5 }), as({}), as(undefined)]).toEqual([5, 1, 1]);
    } finally {
      as(navigator);
    }
  });
});
