import { EXIT, type ExitStatus } from '../output/exit.ts';
import { listenForInterrupts, say } from '../output/terminal.ts';
import { count } from '../output/text.ts';
import { type ChosenScorer, createChosenScorer, type ScorerFlags } from '../scoring/scoring.ts';
import { observeWork } from './observe-work.ts';
import { whenReachable } from './when-reachable.ts';
import type { WorkQueue } from './work-queue.ts';
import { runWorker } from './worker.ts';

/** Flags of a worker. */
export interface WorkerFlags extends ScorerFlags {
  readonly queue: string;
  readonly drain?: boolean;
  readonly batch: number;
  readonly memoryTimeout: number;
  readonly http?: string;
  /** Milliseconds that one trace may take. */
  readonly timeLimit?: number;
  readonly quiet?: boolean;
}

/** Milliseconds after a signal until unfinished traces are put back. */
export const FINISH_MS = 12_000;
// The process exits before containers and systemd send SIGKILL, which they do after 30 s.
const EXIT_MS = 25_000;

/**
 * Scores traces of a queue until stopped, or with `drain` until the queue is empty.
 *
 * @param version - program version.
 */
export async function scoreQueue(
  queue: WorkQueue,
  flags: WorkerFlags,
  version: string,
): Promise<ExitStatus> {
  // With separate memories, each worker would treat every trace as new.
  const memory = flags.embedder === 'none' ? undefined : (flags.memory ?? flags.queue);
  let isStopping = false;
  const observation = await observeWork(queue, {
    version,
    http: flags.http,
    hasMemory: memory !== undefined,
    isStopping: () => isStopping,
  });
  try {
    const interrupts = listenForInterrupts();
    const abort = new AbortController();
    interrupts.signal.addEventListener('abort', () => {
      isStopping = true;
      setTimeout(() => abort.abort(), FINISH_MS).unref();
      setTimeout(() => {
        say('kp: a server does not answer; the traces of this worker return after their lease');
        process.exit(EXIT.interrupted);
      }, EXIT_MS).unref();
    });
    const stopped = interrupts.signal;
    let chosen: ChosenScorer | undefined;
    try {
      // It has no traces yet, so it can stop at once.
      chosen = await whenReachable('--memory', { stopped, aborted: stopped }, () =>
        createChosenScorer({ ...flags, ...(memory && { memory }) }, observation),
      );
      if (chosen === undefined) return EXIT.done;
      const { scored, invalid } = await runWorker({
        queue,
        scorer: chosen.scorer,
        metrics: observation.metrics,
        checkMemory: chosen.checkMemory,
        batchSize: flags.batch,
        timeLimitMs: flags.timeLimit,
        drain: flags.drain === true,
        isQuiet: flags.quiet === true,
        stopped,
        aborted: abort.signal,
      });
      if (flags.quiet !== true) say(`${count(scored, 'trace')} scored`);
      if (flags.drain !== true || interrupts.signal.aborted) return EXIT.done;
      const failed = await queue.failedCount();
      if (failed > 0) {
        say(
          `kp: ${count(failed, 'trace')} could not be scored; kp work --failed lists the reasons`,
        );
        return EXIT.no;
      }
      return invalid > 0 ? EXIT.problems : EXIT.done;
    } finally {
      interrupts.release();
      await chosen?.close();
    }
  } finally {
    await observation.close();
  }
}
