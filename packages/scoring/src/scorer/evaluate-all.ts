import { type ReasoningTrace, TraceValidationError } from '@kp/schema';
import { ScorerOptionError } from '../formula/errors.ts';
import type { ScoreReport } from '../formula/score-report.ts';
import { createBoundedQueue } from './bounded-queue.ts';
import { checkMilliseconds, checkSignal } from './scorer-options.ts';

/** How a stream of traces is evaluated. */
export interface EvaluateAllOptions {
  /** How many traces may be under way at once; 16. */
  readonly concurrency?: number;
  /** Milliseconds an evaluation; Infinity, so that a stream gets the same scores every time. */
  readonly budgetMs?: number;
  /**
   * Told of a trace that is not valid, with its place in the stream, which then goes on without
   * it; waited for when it gives a promise. When it throws or rejects, the stream ends with that
   * error. Left out, the stream ends with the validation error. In both cases the reports of all
   * traces before it come first.
   */
  readonly onInvalid?: (error: TraceValidationError, index: number) => unknown;
  /** Ends the stream with the signal's reason; what was read ahead is not remembered. */
  readonly signal?: AbortSignal;
}

/** Throws at once when the trace is not valid; nothing of it is then remembered. */
export type StartEvaluation = (
  trace: ReasoningTrace,
  options: { readonly budgetMs: number; readonly signal: AbortSignal },
) => Promise<ScoreReport>;

interface Evaluation {
  readonly report: Promise<ScoreReport>;
}

const DEFAULT_CONCURRENCY = 16;

/**
 * Evaluates a stream in order, with a bounded number of evaluations under way. A report is given as
 * soon as it and all before it are there, however long the next trace takes to come. A reader that
 * stops waits for nothing: what is under way and not yet remembered is given up.
 */
export function evaluateAllWith(
  start: StartEvaluation,
  traces: Iterable<ReasoningTrace> | AsyncIterable<ReasoningTrace>,
  options: EvaluateAllOptions,
): AsyncGenerator<ScoreReport, void, undefined> {
  const stop = new AbortController();
  const readerStopped = new Error('evaluateAll: the reader has stopped');
  const reports = evaluateUntil(stop, start, traces, options, readerStopped);
  const generator: AsyncGenerator<ScoreReport, void, undefined> = {
    next: () => reports.next(),
    return(value) {
      // A call of next that waits for a silent source ends by this, and then the generator does.
      stop.abort(readerStopped);
      return reports.return(value);
    },
    throw(error) {
      stop.abort(readerStopped);
      return reports.throw(error);
    },
    [Symbol.asyncIterator]: () => generator,
    [Symbol.asyncDispose]: async () => {
      await generator.return();
    },
  };
  return generator;
}

async function* evaluateUntil(
  stop: AbortController,
  start: StartEvaluation,
  traces: Iterable<ReasoningTrace> | AsyncIterable<ReasoningTrace>,
  options: EvaluateAllOptions,
  readerStopped: Error,
): AsyncGenerator<ScoreReport, void, undefined> {
  const { concurrency = DEFAULT_CONCURRENCY, budgetMs = Number.POSITIVE_INFINITY } = options;
  const { onInvalid, signal } = options;
  checkMilliseconds('budgetMs', budgetMs);
  checkConcurrency(concurrency);
  if (signal !== undefined) checkSignal(signal);
  const source = iteratorOf(traces);
  const stopped = stop.signal;
  const onAbort = (): void => stop.abort(signal?.reason);
  if (signal?.aborted) onAbort();
  signal?.addEventListener('abort', onAbort, { once: true });
  const underWay = createBoundedQueue<Evaluation>(concurrency);
  const reading = handled(startAll());

  async function startAll(): Promise<void> {
    let exhausted = false;
    const closeSource = (): void => {
      if (exhausted) return;
      exhausted = true;
      // Not waited for: a source that is silent may never end.
      handled(returnTo(source));
    };
    stopped.addEventListener('abort', closeSource, { once: true });
    try {
      for (let index = 0; !stopped.aborted; index++) {
        const { done, value } = await nextOf(source).catch((error: unknown) => {
          exhausted = true;
          throw error;
        });
        exhausted ||= done === true;
        if (done === true || stopped.aborted) return;
        const evaluation = await tryStart(await value, index);
        if (evaluation !== undefined && !(await underWay.push(evaluation))) return;
      }
    } finally {
      closeSource();
      underWay.end();
    }
  }

  async function tryStart(trace: ReasoningTrace, index: number): Promise<Evaluation | undefined> {
    try {
      return { report: handled(start(trace, { budgetMs, signal: stopped })) };
    } catch (error) {
      if (onInvalid === undefined || !(error instanceof TraceValidationError)) throw error;
      await onInvalid(error, index);
      return undefined;
    }
  }

  try {
    while (true) {
      const oldest = await orAborted(underWay.first(), stopped);
      if (oldest === undefined) break;
      yield await orAborted(oldest.report, stopped);
      underWay.removeFirst();
    }
    await orAborted(reading, stopped);
  } catch (error) {
    if (error !== readerStopped) throw error;
  } finally {
    signal?.removeEventListener('abort', onAbort);
    underWay.close();
  }
}

/** A rejection is seen when its turn comes; until then it must not count as unhandled. */
function handled<T>(promise: Promise<T>): Promise<T> {
  promise.catch(() => undefined);
  return promise;
}

/** The promise's value, or a rejection with the signal's reason if that comes first. */
async function orAborted<T>(promise: Promise<T>, signal: AbortSignal): Promise<T> {
  signal.throwIfAborted();
  let onAbort = (): void => undefined;
  const aborted = new Promise<never>((_, reject) => {
    onAbort = () => reject(signal.reason);
  });
  signal.addEventListener('abort', onAbort, { once: true });
  try {
    return await Promise.race([promise, aborted]);
  } finally {
    signal.removeEventListener('abort', onAbort);
  }
}

function checkConcurrency(concurrency: number): void {
  if (Number.isInteger(concurrency) && concurrency > 0) return;
  throw new ScorerOptionError('concurrency', 'a whole number over 0', concurrency);
}

type Source = Iterator<ReasoningTrace> | AsyncIterator<ReasoningTrace>;

function iteratorOf(traces: Iterable<ReasoningTrace> | AsyncIterable<ReasoningTrace>): Source {
  if (typeof traces === 'object' && traces !== null) {
    if (Symbol.asyncIterator in traces) return traces[Symbol.asyncIterator]();
    if (Symbol.iterator in traces) return traces[Symbol.iterator]();
  }
  throw new ScorerOptionError('traces', 'an iterable or async iterable of traces', traces);
}

// Both async, so that a source that throws at once rejects like any other.

async function nextOf(source: Source): Promise<IteratorResult<ReasoningTrace>> {
  return source.next();
}

async function returnTo(source: Source): Promise<unknown> {
  return source.return?.();
}
