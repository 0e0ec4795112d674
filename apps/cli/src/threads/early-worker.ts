import { statSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import type { Worker } from 'node:worker_threads';
import { beginsWithTrace, FEWEST_TRACE_BYTES } from './own-files.ts';
import { startWorker } from './start-worker.ts';

let waiting: Worker | undefined;

/**
 * Starts a worker for lines while the modules of a command load, if there is another core and an argument
 * names a large file of traces, so that reading begins about 70 ms earlier. An unused worker does not keep the
 * process alive.
 *
 * @param words - the command line.
 */
export function startEarly(words: readonly string[], cores: number = availableParallelism()): void {
  const isAlone = cores < 2 || /--jobs[= ]1(?: |$)/.test(words.join(' '));
  if (isAlone || !words.some(isLargeOwnFile)) return;
  const worker = startWorker('line-worker');
  worker.unref();
  const forget = (): void => {
    if (waiting === worker) waiting = undefined;
  };
  worker.on('error', forget);
  worker.on('exit', forget);
  waiting = worker;
}

/** Returns the worker that was started early; undefined if there is none, or it was taken. */
export function takeEarlyWorker(): Worker | undefined {
  const worker = waiting;
  waiting = undefined;
  return worker;
}

function isLargeOwnFile(word: string): boolean {
  if (!word.endsWith('.jsonl')) return false;
  const found = statSync(word, { throwIfNoEntry: false });
  return found?.isFile() === true && found.size >= FEWEST_TRACE_BYTES && beginsWithTrace(word);
}
