import { TraceValidationError } from '@kp/schema';
import { createBoundedQueue } from './bounded-queue.ts';
import { ScorerOptionError } from './errors.ts';
import type { ScoreReport } from './score-report.ts';
import { checkBudget } from './scorer-options.ts';

export interface EvaluateAllOptions {
  /** How many traces may be under way at once; 16. */
  readonly concurrency?: number;
  /** Milliseconds an evaluation; Infinity, so that a stream gets the same scores every time. */
  readonly budgetMs?: number;
  /**
   * Told of a trace that is not valid, with its place in the stream, which then goes on without
   * it. Left out, the stream ends with the error, after the reports of all traces before it.
   */
  readonly onInvalid?: (error: TraceValidationError, index: number) => void;
  /** Ends the stream with the signal's reason. */
  readonly signal?: AbortSignal;
}

/** Throws at once when the trace is not valid; nothing of it is then remembered. */
export type StartEvaluation<Trace> = (trace: Trace, budgetMs: number) => Promise<ScoreReport>;

interface Evaluation {
  readonly report: Promise<ScoreReport>;
}

const DEFAULT_CONCURRENCY = 16;

/**
 * Evaluates a stream in order, with a bounded number of evaluations under way. A report is given as
 * soon as it and all before it are there, however long the next trace takes to come.
 */
export async function* evaluateAllWith<Trace>(
  start: StartEvaluation<Trace>,
  traces: Iterable<Trace> | AsyncIterable<Trace>,
  options: EvaluateAllOptions,
): AsyncGenerator<ScoreReport, void, undefined> {
  const { concurrency = DEFAULT_CONCURRENCY, budgetMs = Number.POSITIVE_INFINITY } = options;
  const { onInvalid, signal } = options;
  checkBudget(budgetMs);
  checkConcurrency(concurrency);
  checkIterable(traces);
  const underWay = createBoundedQueue<Evaluation>(concurrency);
  const reading = handled(startAll());

  async function startAll(): Promise<void> {
    let index = 0;
    try {
      for await (const trace of traces) {
        if (underWay.closed) break;
        const evaluation = tryStart(trace, index++);
        if (evaluation !== undefined && !(await underWay.push(evaluation))) break;
      }
    } finally {
      underWay.end();
    }
  }

  function tryStart(trace: Trace, index: number): Evaluation | undefined {
    try {
      return { report: handled(start(trace, budgetMs)) };
    } catch (error) {
      if (onInvalid === undefined || !(error instanceof TraceValidationError)) throw error;
      onInvalid(error, index);
      return undefined;
    }
  }

  try {
    while (true) {
      const oldest = await orAborted(underWay.first(), signal);
      if (oldest === undefined) break;
      yield await orAborted(oldest.report, signal);
      underWay.removeFirst();
    }
    await reading;
  } finally {
    // The source ends with its next trace; waiting for that could take for ever.
    underWay.close();
  }
}

/** A rejection is seen when its turn comes; until then it must not count as unhandled. */
function handled<T>(promise: Promise<T>): Promise<T> {
  promise.catch(() => undefined);
  return promise;
}

/** The promise's value, or a rejection with the signal's reason if that comes first. */
async function orAborted<T>(promise: Promise<T>, signal: AbortSignal | undefined): Promise<T> {
  if (signal === undefined) return promise;
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
  throw new ScorerOptionError('concurrency', 'a whole number over 0', String(concurrency));
}

function checkIterable(traces: unknown): void {
  const iterable =
    typeof traces === 'object' &&
    traces !== null &&
    (Symbol.iterator in traces || Symbol.asyncIterator in traces);
  if (iterable) return;
  throw new ScorerOptionError('traces', 'an iterable or async iterable of traces', typeof traces);
}
