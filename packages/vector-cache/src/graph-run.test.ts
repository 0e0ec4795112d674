import { afterEach, describe, expect, it, spyOn } from 'bun:test';
import { createRandom } from '../test/random.ts';
import { type BlockPair, type BlockShape, type Blocks, openBlocks } from './graph-blocks.ts';
import { similarityGraph } from './index.ts';

type Message = BlockPair | { bytes: Uint8Array<ArrayBuffer>; shape: BlockShape };
type Event = 'message' | 'error' | 'exit';

/** A stub of a worker that runs in this thread. */
class DrivenWorker {
  static readonly all: DrivenWorker[] = [];
  /** Called for each message; returns true if it handles the message in place of the worker. */
  static intercept: (worker: DrivenWorker, message: Message) => boolean = () => false;

  readonly received: Message[] = [];
  isTerminated = false;
  readonly #listeners = new Map<Event, (value: unknown) => void>();
  #blocks: Blocks | undefined;

  constructor() {
    DrivenWorker.all.push(this);
  }

  on(event: Event, listener: (value: unknown) => void): void {
    this.#listeners.set(event, listener);
  }

  emit(event: Event, value?: unknown): void {
    this.#listeners.get(event)?.(value);
  }

  postMessage(message: Message): void {
    this.received.push(message);
    if (!DrivenWorker.intercept(this, message)) queueMicrotask(() => this.answer(message));
  }

  terminate(): void {
    this.isTerminated = true;
  }

  answer(message: Message): void {
    if (this.isTerminated) return;
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
const { intercept } = DrivenWorker;

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
  DrivenWorker.intercept = intercept;
});

const random = createRandom(7);
// 5 blocks of 64 rows have 15 pairs.
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

describe('comparison threads', () => {
  it('compare blocks of shared memory and are stopped at the end', async () => {
    const workers = withDrivenWorkers();
    const { computation, graph } = await graphOn(2);
    expect(computation).toEqual({ engine: 'wasm-simd', threads: 2, fallback: undefined });
    expect(graph).toEqual(expected);
    for (const { received, isTerminated } of workers) {
      expect(isTerminated).toBe(true);
      expect(received.length).toBeGreaterThan(2);
      for (const message of received.slice(1) as BlockPair[]) {
        expect(message.a.values.buffer).toBeInstanceOf(SharedArrayBuffer);
      }
    }
  });

  it('are at most as many as pairs, and none if one thread suffices', async () => {
    const workers = withDrivenWorkers();
    expect((await graphOn(99)).computation.threads).toBe(15);
    expect(workers).toHaveLength(15);
    workers.length = 0;
    expect((await graphOn(2, 64)).computation.threads).toBe(1);
    expect((await graphOn(1)).computation.threads).toBe(1);
    // The work is too small to start threads.
    expect((await graphOn(undefined)).computation.threads).toBe(1);
    expect(workers).toHaveLength(0);
  });

  it.each([
    ['one of them fails', (worker: DrivenWorker) => worker === DrivenWorker.all[1], 1],
    ['all of them fail', () => true, 1],
  ])(
    'leave their blocks to other threads or the main thread if %s',
    async (_, isFailing, threads) => {
      const workers = withDrivenWorkers();
      DrivenWorker.intercept = (worker, message) => {
        if ('bytes' in message || !isFailing(worker)) return false;
        queueMicrotask(() => {
          worker.emit('error', new Error('out of memory'));
          worker.emit('exit');
          worker.emit('message', []);
        });
        return true;
      };
      const { computation, graph } = await graphOn(2);
      expect(computation).toEqual({ engine: 'wasm-simd', threads, fallback: 'out of memory' });
      expect(graph).toEqual(expected);
      expect(workers.map(({ isTerminated }) => isTerminated)).toEqual([true, true]);
    },
  );

  it('have ten seconds to start', async () => {
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
    DrivenWorker.intercept = () => {
      queueMicrotask(() => {
        for (const run of timers) run();
      });
      return true;
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

  it('are stopped if a listener throws', async () => {
    const workers = withDrivenWorkers();
    const onProgress = () => {
      throw new Error('no more');
    };
    const work = similarityGraph(vectors, { keys, threads: 2, onProgress });
    await expect(work).rejects.toThrow('no more');
    expect(workers.map(({ isTerminated }) => isTerminated)).toEqual([true, true]);
  });
});
