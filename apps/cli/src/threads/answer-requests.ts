import { parentPort } from 'node:worker_threads';
import type { FirstMessage, Numbered } from './worker-pool.ts';

/**
 * Answers the messages to this worker thread, one after the other.
 *
 * @param begin - receives the settings, which are the first message; returns what answers the others.
 * @param transfer - returns the memory of an answer that is handed over without a copy.
 */
export function answerRequests<Settings, Request, Answer>(
  begin: (settings: Settings) => (request: Request) => Promise<Answer>,
  transfer: (answer: Answer) => ArrayBuffer[],
): void {
  let last: Promise<void> = Promise.resolve();
  parentPort?.once('message', ({ settings }: FirstMessage<Settings>) => {
    const answerOf = begin(settings);
    parentPort?.on('message', ({ number, ...request }: Numbered<Request>) => {
      last = last.then(async () => {
        const answer = await answerOf(request as Request);
        parentPort?.postMessage({ ...answer, number }, transfer(answer));
      });
    });
    parentPort?.postMessage('ready');
  });
}
