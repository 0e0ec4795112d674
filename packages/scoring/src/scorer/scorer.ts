import type { ReasoningTrace } from '@kp/schema';
import { noveltyOf, UNKNOWN_NOVELTY } from '../formula/dimensions.ts';
import { ScorerOptionError } from '../formula/errors.ts';
import { type ReadTrace, readTrace } from '../formula/read-trace.ts';
import type { NoveltyReport, ScoreReport } from '../formula/score-report.ts';
import { reportOf } from '../formula/score-trace.ts';
import { embeddedText } from '../novelty/embed-trace.ts';
import { inTime, lazySignal } from '../novelty/operation.ts';
import { ScorerClosedError } from './errors.ts';
import { type EvaluateAllOptions, evaluateAllWith } from './evaluate-all.ts';
import type { LookupCall } from './lookup-turn.ts';
import { createNoveltyLookup } from './novelty-lookup.ts';
import {
  checkMilliseconds,
  checkSignal,
  resolveScorerOptions,
  type ScorerOptions,
} from './scorer-options.ts';
import { createWarnings } from './warnings.ts';

/** Options of one call. */
export interface CallOptions {
  /** Rejects the call with the signal's reason; what is not yet in the memory stays out of it. */
  readonly signal?: AbortSignal;
  /** Instead of the scorer's; `remember` has none of itself. */
  readonly budgetMs?: number;
}

/**
 * Scores traces and remembers them. However many calls run at once, they compare and remember in
 * the order in which they were made, and give the scores that the same calls would give one after
 * the other. A trace is read when the call is made; changing it later changes nothing.
 *
 * Every method that takes a trace rejects with `TraceValidationError` when it is not valid, and
 * with `FormulaError` when a dimension or rule of the user's own fails. An embedder or memory that
 * fails, hangs or is overloaded rejects nothing: `novelty.source` says so.
 */
export interface Scorer {
  /**
   * Scores the trace, then remembers it.
   *
   * @param trace - it is read now; changing it later changes nothing.
   */
  evaluate(trace: ReasoningTrace, options?: CallOptions): Promise<ScoreReport>;
  /**
   * Scores the trace and remembers nothing, so that a baseline stays as it is.
   *
   * @param trace - it is read now; changing it later changes nothing.
   */
  score(trace: ReasoningTrace, options?: CallOptions): Promise<ScoreReport>;
  /**
   * Remembers the trace; resolves when it is in the memory. Does nothing without an embedder, and
   * for a trace without text. Rejects when the embedder or the memory fails, is overloaded, or
   * takes longer than `budgetMs`: there is no report that could say so.
   *
   * @param trace - it is read now; changing it later changes nothing.
   */
  remember(trace: ReasoningTrace, options?: CallOptions): Promise<void>;
  /**
   * Evaluates a stream of traces, in order, keeping only a few of them in memory.
   *
   * @param traces - read as far as reports are asked for, and a few ahead.
   */
  evaluateAll(
    traces: Iterable<ReasoningTrace> | AsyncIterable<ReasoningTrace>,
    options?: EvaluateAllOptions,
  ): AsyncIterable<ScoreReport>;
  /** Loads the model and opens the memory, so that the first evaluation need not. */
  ready(): Promise<void>;
  /**
   * Waits for what is under way, no longer than `operationTimeoutMs`, then closes the embedder if
   * the scorer made it itself. Later calls reject.
   */
  close(): Promise<void>;
  /** {@link close}, for `await using`. */
  [Symbol.asyncDispose](): Promise<void>;
}

const NO_EMBEDDER: NoveltyReport = Object.freeze({ source: 'no_embedder', truncated: false });
const NO_OPTIONS: CallOptions = {};

type Steps = Pick<LookupCall, 'compare' | 'remember' | 'mayBeShed'>;
const EVALUATE: Steps = { compare: true, remember: true, mayBeShed: true };
const EVALUATE_ALL: Steps = { compare: true, remember: true, mayBeShed: false };
const SCORE: Steps = { compare: true, remember: false, mayBeShed: true };
const REMEMBER: Steps = { compare: false, remember: true, mayBeShed: true };

/**
 * A scorer with a memory of its own.
 *
 * @throws `ProfileError` when the weights of a profile are not usable.
 * @throws `MemoryMismatchError` when the memory holds vectors of another embedder.
 * @throws `TraceLimitsError` when a limit is not usable, {@link ScorerOptionError} when another
 * option is not.
 */
export function createScorer(options: ScorerOptions = {}): Scorer {
  const settings = resolveScorerOptions(options);
  const { formula, ownsEmbedder, operationTimeoutMs } = settings;
  const warnings = createWarnings(settings.onWarning);
  const lookup = settings.lookup && createNoveltyLookup(settings.lookup, warnings);
  const { embedder, memory } = settings.lookup ?? {};
  let closed: Promise<void> | undefined;

  function read(input: ReasoningTrace): ReadTrace {
    if (closed !== undefined) throw new ScorerClosedError();
    return readTrace(input, formula);
  }

  /** Throws at once when the trace is not valid. */
  function start(input: ReasoningTrace, steps: Steps, call: CallOptions): Promise<ScoreReport> {
    const startedAt = performance.now();
    const { budgetMs = settings.budgetMs, signal } = checked(call);
    const trace = read(input);
    signal?.throwIfAborted();
    const report = (novelty: NoveltyReport): ScoreReport => {
      const { nearest, source } = novelty;
      const value = nearest === undefined ? UNKNOWN_NOVELTY : noveltyOf(nearest.similarity);
      const made: { -readonly [Field in keyof ScoreReport]: ScoreReport[Field] } = reportOf(
        trace,
        { value, report: novelty },
        formula,
      );
      made.elapsedMs = performance.now() - startedAt;
      made.withinBudget = made.elapsedMs <= budgetMs && source !== 'budget_exceeded';
      return made;
    };
    if (lookup === null) return Promise.resolve(report(NO_EMBEDDER));
    return lookup.find(callFor(trace, steps, startedAt, budgetMs, signal)).then(report);
  }

  return {
    evaluate: async (trace, call = NO_OPTIONS) => start(trace, EVALUATE, call),
    score: async (trace, call = NO_OPTIONS) => start(trace, SCORE, call),
    async remember(input, call = NO_OPTIONS) {
      const startedAt = performance.now();
      const { budgetMs = Number.POSITIVE_INFINITY, signal } = checked(call);
      const trace = read(input);
      signal?.throwIfAborted();
      await lookup?.find(callFor(trace, REMEMBER, startedAt, budgetMs, signal));
    },
    evaluateAll: (traces, all = {}) =>
      evaluateAllWith((trace, call) => start(trace, EVALUATE_ALL, call), traces, all),
    async ready() {
      if (closed !== undefined) throw new ScorerClosedError();
      await Promise.all([embedder?.ready?.(), memory?.ready?.()]);
    },
    close,
    [Symbol.asyncDispose]: close,
  };

  function close(): Promise<void> {
    closed ??= finish();
    return closed;
  }

  async function finish(): Promise<void> {
    await lookup?.finish(operationTimeoutMs);
    if (!ownsEmbedder || !embedder?.close) return;
    const closing = embedder.close();
    await inTime(`embedder ${embedder.id}: close`, operationTimeoutMs, closing, lazySignal());
  }
}

let sharedScorer: Scorer | undefined;

/**
 * What a trace is worth, in [0, 1]. All calls of a process share one scorer and its memory of the
 * last 1,000 traces, so a repeated pattern loses novelty. For the derivation, a memory of your own
 * or other options, use `createScorer`.
 *
 * @param trace - it is read now; changing it later changes nothing.
 * @throws `TraceValidationError`, as a rejection, when the trace is not valid.
 */
export async function evaluateValue(trace: ReasoningTrace): Promise<number> {
  sharedScorer ??= createScorer();
  return (await sharedScorer.evaluate(trace)).score;
}

function callFor(
  { id, objective, steps, facts }: ReadTrace,
  { compare, remember, mayBeShed }: Steps,
  startedAt: number,
  budgetMs: number,
  signal: AbortSignal | undefined,
): LookupCall {
  const text = embeddedText(objective, steps, facts.steps);
  return { key: id, text, compare, remember, mayBeShed, startedAt, budgetMs, signal };
}

function checked(call: CallOptions): CallOptions {
  if (call === NO_OPTIONS) return call;
  if (typeof call !== 'object' || call === null) {
    throw new ScorerOptionError('options', 'an object', call);
  }
  const { budgetMs, signal } = call;
  if (budgetMs !== undefined) checkMilliseconds('budgetMs', budgetMs);
  if (signal !== undefined) checkSignal(signal);
  return { budgetMs, signal };
}
