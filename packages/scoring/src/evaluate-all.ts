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
  readonly onInvalid?: (error: Error, index: number) => void;
  /** Ends the stream with the signal's reason. */
  readonly signal?: AbortSignal;
}

/** Throws at once when the trace is not valid; nothing of it is then remembered. */
export type StartEvaluation<Trace> = (trace: Trace, budgetMs: number) => Promise<ScoreReport>;

const DEFAULT_CONCURRENCY = 16;

/** Evaluates a stream in order, with a bounded number of evaluations under way. */
export async function* evaluateAllWith<Trace>(
  start: StartEvaluation<Trace>,
  traces: Iterable<Trace> | AsyncIterable<Trace>,
  options: EvaluateAllOptions,
): AsyncGenerator<ScoreReport, void, undefined> {
  const { concurrency = DEFAULT_CONCURRENCY, budgetMs = Number.POSITIVE_INFINITY } = options;
  checkBudget(budgetMs);
  checkConcurrency(concurrency);
  checkIterable(traces);
  const { onInvalid, signal } = options;
  const underWay: Promise<ScoreReport>[] = [];
  let index = 0;
  for await (const trace of traces) {
    signal?.throwIfAborted();
    try {
      underWay.push(handled(start(trace, budgetMs)));
    } catch (error) {
      if (onInvalid === undefined || !(error instanceof Error)) {
        yield* inOrder(underWay, signal);
        throw error;
      }
      onInvalid(error, index);
    }
    index++;
    const oldest = underWay.length < concurrency ? undefined : underWay.shift();
    if (oldest !== undefined) yield await oldest;
  }
  yield* inOrder(underWay, signal);
}

async function* inOrder(
  reports: readonly Promise<ScoreReport>[],
  signal: AbortSignal | undefined,
): AsyncGenerator<ScoreReport, void, undefined> {
  for (const report of reports) {
    signal?.throwIfAborted();
    yield await report;
  }
}

/** A rejection is seen when its turn comes; until then it must not count as unhandled. */
function handled<T>(promise: Promise<T>): Promise<T> {
  promise.catch(() => undefined);
  return promise;
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
