import { withTimeout } from '@kp/foundation';
import { IntegrationError, overloaded } from '../run/integration-error.ts';
import type { RunEnding } from '../run/run-ending.ts';
import { FLUSH_TIMEOUT_MS, type LiveScorer } from './live-scorer.ts';

/** Keeps the open runs by a key of the library. */
export interface RunTracker<Run> {
  /** Number of open runs. */
  readonly size: number;
  /** Opens a run. If too many runs are open, ends the one that has been idle longest. */
  start(key: string, run: Run): void;
  /** Returns the open run with this key. Counts as an event: cancels a pause or a planned end. */
  get(key: string): Run | undefined;
  /** Ends and scores a run. Does nothing if the run is not open. */
  end(key: string, ending?: RunEnding): void;
  /** Ends a run after `delayMs` without an event, or when `flush` is called. */
  endLater(key: string, delayMs: number, ending?: RunEnding): void;
  /** Ends a run that may be complete when `flush` is called, or now if one waits. An event cancels this. */
  endOnFlush(key: string): void;
  /** Keeps a run open that waits for external input. `flush` does not wait for it. */
  pause(key: string): void;
  /** Waits for the open runs and their scores. Ends runs without an event during that time. */
  flush(timeoutMs?: number): Promise<void>;
  /** Ends the runs with a planned end. */
  endPlanned(): void;
  /** Ends all runs. */
  endAll(): void;
}

interface OpenRun<Run> {
  readonly run: Run;
  readonly startedAt: number;
  lastEventAt: number;
  isPaused: boolean;
  planned?: { readonly ending?: RunEnding; readonly timer?: ReturnType<typeof setTimeout> };
}

const MOST_RUNS = 1000;
/** Share of the flush timeout for waiting until runs end. The rest is for scoring. */
const WAIT_SHARE = 0.8;

/** @param score - receives each ended run and its duration until the last event. */
export function createRunTracker<Run>(
  live: LiveScorer,
  score: (run: Run, ending: RunEnding | undefined, durationMs: number) => void,
): RunTracker<Run> {
  // Sorted by the time of the last event.
  const open = new Map<string, OpenRun<Run>>();
  const waiting = new Set<() => void>();
  const { flush: flushScores } = live;

  function running(): [string, OpenRun<Run>][] {
    return [...open].filter(([, { isPaused }]) => !isPaused);
  }

  function changed(): void {
    if (waiting.size === 0 || running().length > 0) return;
    for (const resolve of waiting) resolve();
    waiting.clear();
  }

  function end(key: string, ending?: RunEnding): void {
    const found = open.get(key);
    if (found === undefined) return;
    clearTimeout(found.planned?.timer);
    open.delete(key);
    score(found.run, ending, Math.round(found.lastEventAt - found.startedAt));
    changed();
  }

  function start(key: string, run: Run): void {
    const now = performance.now();
    open.set(key, { run, startedAt: now, lastEventAt: now, isPaused: false });
    const oldest = open.keys().next();
    if (open.size <= MOST_RUNS || oldest.done) return;
    end(oldest.value, unfinished(`more than ${MOST_RUNS} runs were open`));
    const remedy = 'the run without an event for the longest time was scored as unfinished';
    live.report(overloaded(`${MOST_RUNS} open runs`, remedy));
  }

  function get(key: string): Run | undefined {
    const found = open.get(key);
    if (found === undefined) return undefined;
    clearTimeout(found.planned?.timer);
    found.planned = undefined;
    found.isPaused = false;
    found.lastEventAt = performance.now();
    open.delete(key);
    open.set(key, found);
    return found.run;
  }

  function endPlanned(): void {
    for (const [key, { planned }] of [...open]) {
      if (planned !== undefined) end(key, planned.ending);
    }
  }

  async function allEnded(timeoutMs: number): Promise<boolean> {
    if (running().length === 0) return true;
    const { promise, resolve } = Promise.withResolvers<true>();
    const settle = (): void => resolve(true);
    waiting.add(settle);
    return withTimeout(promise, timeoutMs, () => waiting.delete(settle)).catch(() => false);
  }

  function endSilent(since: number, timeoutMs: number): void {
    for (const [key, { lastEventAt }] of running()) {
      if (lastEventAt <= since) end(key, unfinished('no event arrived during a flush'));
    }
    const left = running().length;
    if (left === 0) return;
    live.report(
      new IntegrationError('FLUSH_TIMED_OUT', {
        subject: 'flush',
        expected: `all runs ended within ${Math.round(timeoutMs)} ms`,
        received: `${left} still running`,
        remedy: 'they are scored when they end; give flush more time',
      }),
    );
  }

  return {
    get size() {
      return open.size;
    },
    start,
    get,
    end,
    endLater(key, delayMs, ending) {
      const found = open.get(key);
      if (found === undefined) return;
      clearTimeout(found.planned?.timer);
      const timer = setTimeout(() => end(key, ending), delayMs);
      // The timer does not keep the process alive. A flush ends the run immediately.
      (timer as { unref?: () => void }).unref?.();
      found.planned = { ending, timer };
    },
    endOnFlush(key) {
      const found = open.get(key);
      if (found === undefined) return;
      clearTimeout(found.planned?.timer);
      if (waiting.size > 0) end(key);
      else found.planned = {};
    },
    pause(key) {
      const found = open.get(key);
      if (found !== undefined) found.isPaused = true;
      changed();
    },
    async flush(timeoutMs = FLUSH_TIMEOUT_MS) {
      const startedAt = performance.now();
      endPlanned();
      const waitMs = timeoutMs * WAIT_SHARE;
      if (!(await allEnded(waitMs))) endSilent(startedAt, waitMs);
      await flushScores(Math.max(0, timeoutMs - (performance.now() - startedAt)));
    },
    endPlanned,
    endAll() {
      endPlanned();
      for (const key of [...open.keys()]) end(key, unfinished('the process was shut down'));
    },
  };
}

function unfinished(why: string): RunEnding {
  return { kind: 'unfinished', reason: `The end of the run was not reported: ${why}.` };
}
