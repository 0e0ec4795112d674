import { parentPort, workerData } from 'node:worker_threads';
import type { BlockRequest, WorkerSettings } from './runs/prepared-block.ts';
import { createBlockPreparation } from './threads/prepare-block.ts';

/** The program of a worker: answers each block with what it prepared of it. */
const prepare = createBlockPreparation(workerData as WorkerSettings);
let last: Promise<void> = Promise.resolve();

parentPort?.on('message', (request: BlockRequest) => {
  // One after the other: the answer to the first block is awaited first.
  last = last.then(async () => {
    const answer = await prepare(request);
    parentPort?.postMessage(answer, [answer.vectors.buffer, answer.texts.buffer]);
  });
});
parentPort?.postMessage('ready');
