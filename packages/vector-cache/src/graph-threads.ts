import { messageOf } from '@kp/foundation';
import { type BlockHits, type BlockPair, type BlockShape, openBlocks } from './graph-blocks.ts';
import { builtinModule } from './platform.ts';

/** A thread that compares pairs of blocks, one after the other. */
export interface GraphThread {
  /** Answered by `onHits`, in the order of the calls. */
  compare(pair: BlockPair): void;
  stop(): void;
}

/** What a thread tells. */
export interface GraphThreadEvents {
  onReady(): void;
  onHits(hits: BlockHits): void;
  /** It failed to start, or ended: nothing more comes from it. */
  onFailure(reason: string): void;
}

/** Milliseconds in which a worker must answer for the first time. */
const START_TIMEOUT_MS = 10_000;

// The program of a worker: a text, not a file, as a bundler neither finds nor moves the files of a
// package's workers. The first message opens the kernel, each further one is a pair of blocks.
const program = (): string => `'use strict';
const openBlocks = ${openBlocks.toString()};
const port = globalThis.process?.getBuiltinModule?.('node:worker_threads').parentPort ?? self;
let blocks;
const answer = (message) => {
  if (blocks === undefined) {
    blocks = openBlocks(message.bytes, message.shape);
    port.postMessage('ready');
    return;
  }
  blocks.load(message);
  blocks.compare(0, message.b.count);
  const hits = blocks.hits();
  port.postMessage(hits, hits);
};
if (port.on) port.on('message', answer);
else port.onmessage = (event) => answer(event.data);
`;

/** Starts a worker thread of this platform: Node's and Bun's, else a browser's. */
export function startThread(
  bytes: Uint8Array<ArrayBuffer>,
  shape: BlockShape,
  events: GraphThreadEvents,
): GraphThread {
  let isOver = false;
  const fail = (reason: unknown) => {
    if (isOver) return;
    isOver = true;
    clearTimeout(timer);
    worker?.stop();
    events.onFailure(messageOf(reason));
  };
  const hear = (message: unknown) => {
    if (isOver) return;
    if (message !== 'ready') {
      events.onHits(message as BlockHits);
      return;
    }
    clearTimeout(timer);
    events.onReady();
  };
  const timer = setTimeout(() => fail(new Error('worker: no answer')), START_TIMEOUT_MS);
  let worker: PlatformWorker | undefined;
  // Later, so that the caller has the thread before it hears of its failure.
  queueMicrotask(() => {
    if (isOver) return;
    try {
      worker = startPlatformWorker(hear, fail);
      worker.post({ bytes, shape });
    } catch (error) {
      fail(error);
    }
  });
  return {
    compare: (pair) => worker?.post(pair),
    stop: () => {
      isOver = true;
      clearTimeout(timer);
      worker?.stop();
    },
  };
}

interface PlatformWorker {
  post(message: unknown): void;
  stop(): void;
}

function startPlatformWorker(
  hear: (message: unknown) => void,
  fail: (reason: unknown) => void,
): PlatformWorker {
  const threads = builtinModule('node:worker_threads');
  if (threads !== undefined) {
    const worker = new threads.Worker(program(), { eval: true });
    worker.on('message', hear);
    worker.on('error', fail);
    worker.on('exit', () => fail(new Error('worker: ended')));
    return { post: (message) => worker.postMessage(message), stop: () => worker.terminate() };
  }
  const url = URL.createObjectURL(new Blob([program()], { type: 'text/javascript' }));
  const worker = new Worker(url);
  worker.onmessage = (event) => hear(event.data);
  worker.onerror = ({ message = 'worker: refused' }) => fail(new Error(message));
  const stop = () => {
    worker.terminate();
    URL.revokeObjectURL(url);
  };
  return { post: (message) => worker.postMessage(message), stop };
}
