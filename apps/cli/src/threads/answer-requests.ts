import { parentPort } from 'node:worker_threads';
import type { Numbered } from './worker-pool.ts';

/**
 * Answers the messages to this worker thread, one after the other.
 *
 * @param transfer - returns the memory of an answer that is handed over without a copy.
 */
export function answerRequests<Request, Answer>(
  answerOf: (request: Request) => Promise<Answer>,
  transfer: (answer: Answer) => ArrayBuffer[],
): void {
  let last: Promise<void> = Promise.resolve();
  parentPort?.on('message', ({ number, ...request }: Numbered<Request>) => {
    last = last.then(async () => {
      const answer = await answerOf(request as Request);
      parentPort?.postMessage({ ...answer, number }, transfer(answer));
    });
  });
  parentPort?.postMessage('ready');
}
