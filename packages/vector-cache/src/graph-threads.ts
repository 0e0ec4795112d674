import { type BlockHits, type BlockPair, type BlockShape, openBlocks } from './graph-blocks.ts';

/** A worker thread that compares pairs of blocks, one after the other. */
export interface GraphThread {
  /** Rejects when the thread fails. */
  compare(pair: BlockPair): Promise<BlockHits>;
}

/** Timeout in milliseconds for the first answer of a worker. */
const START_TIMEOUT_MS = 10_000;

// The program of a worker is a string, because bundlers do not find or move the worker files of a
// package. The first message to the worker opens the kernel; each further message is a pair of
// blocks.
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

/**
 * Starts a worker thread of Node, Bun or the browser.
 *
 * @param ending - stops the thread. Promises of a stopped thread stay pending.
 * @returns once the thread answers; rejects when it fails to start.
 */
export function startThread(
  bytes: Uint8Array<ArrayBuffer>,
  shape: BlockShape,
  ending: AbortSignal,
): Promise<GraphThread> {
  return new Promise((resolve, reject) => {
    const calls: { resolve(hits: BlockHits): void; reject(reason: unknown): void }[] = [];
    const stop = (): void => {
      clearTimeout(timer);
      worker?.stop();
    };
    let failure: { readonly reason: unknown } | undefined;
    const fail = (reason: unknown): void => {
      failure ??= { reason };
      stop();
      reject(reason);
      for (const call of calls.splice(0)) call.reject(reason);
    };
    const receive = (message: unknown): void => {
      if (message !== 'ready') {
        calls.shift()?.resolve(message as BlockHits);
        return;
      }
      clearTimeout(timer);
      resolve({
        compare: (pair) =>
          new Promise((resolve, reject) => {
            if (failure !== undefined) reject(failure.reason);
            calls.push({ resolve, reject });
            worker?.post(pair);
          }),
      });
    };
    const timer = setTimeout(() => fail(new Error('worker: no answer')), START_TIMEOUT_MS);
    let worker: PlatformWorker | undefined;
    try {
      worker = startPlatformWorker(receive, fail);
      worker.post({ bytes, shape });
      ending.addEventListener('abort', stop);
    } catch (error) {
      fail(error);
    }
  });
}

interface PlatformWorker {
  post(message: unknown): void;
  stop(): void;
}

function startPlatformWorker(
  receive: (message: unknown) => void,
  fail: (reason: unknown) => void,
): PlatformWorker {
  const threads = globalThis.process?.getBuiltinModule?.('node:worker_threads');
  if (threads !== undefined) {
    const worker = new threads.Worker(program(), { eval: true });
    worker.on('message', receive);
    worker.on('error', fail);
    worker.on('exit', () => fail(new Error('worker: ended')));
    return { post: (message) => worker.postMessage(message), stop: () => void worker.terminate() };
  }
  const url = URL.createObjectURL(new Blob([program()], { type: 'text/javascript' }));
  const worker = new Worker(url);
  worker.onmessage = (event) => receive(event.data);
  worker.onerror = ({ message = 'worker: refused' }) => fail(new Error(message));
  const stop = () => {
    worker.terminate();
    URL.revokeObjectURL(url);
  };
  return { post: (message) => worker.postMessage(message), stop };
}
