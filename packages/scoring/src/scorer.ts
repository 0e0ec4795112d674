import { parseTrace, type ReasoningTrace } from '@kp/schema';
import { ScorerClosedError } from './errors.ts';
import { type EvaluateAllOptions, evaluateAllWith } from './evaluate-all.ts';
import { createNoveltyLookup, type LookupSteps } from './novelty-lookup.ts';
import type { NoveltyReport, ScoreReport } from './score-report.ts';
import { reportOf, scoreTrace } from './scored-trace.ts';
import { resolveScorerOptions, type ScorerOptions } from './scorer-options.ts';
import { embeddedText } from './trace-text.ts';
import { withinBudget } from './within-budget.ts';

/**
 * Scores traces and remembers them. However many calls run at once, they compare and remember in
 * the order in which they were made, and give the scores that the same calls would give one after
 * the other. A trace is read when the call is made; changing it later changes nothing.
 *
 * Every method that takes a trace rejects with `TraceValidationError` when it is not valid, and
 * with {@link MemoryError} when the memory fails.
 */
export interface Scorer {
  /** Scores the trace, then remembers it. */
  evaluate(trace: ReasoningTrace): Promise<ScoreReport>;
  /** Scores the trace and remembers nothing. */
  score(trace: ReasoningTrace): Promise<ScoreReport>;
  /**
   * Remembers the trace; resolves when it is in the memory. Does nothing without an embedder.
   * Rejects when the embedding fails: there is no report that could say so.
   */
  remember(trace: ReasoningTrace): Promise<void>;
  /** Evaluates a stream of traces, in order, keeping only a few of them in memory. */
  evaluateAll(
    traces: Iterable<ReasoningTrace> | AsyncIterable<ReasoningTrace>,
    options?: EvaluateAllOptions,
  ): AsyncIterable<ScoreReport>;
  /** Loads the model, so that the first evaluation need not; rejects when it cannot be loaded. */
  ready(): Promise<void>;
  /** Waits for what is under way, then closes the embedder. Later calls reject. */
  close(): Promise<void>;
}

const NO_EMBEDDER: NoveltyReport = Object.freeze({ source: 'no_embedder', truncated: false });
const EVALUATE: LookupSteps = { compare: true, remember: true };
const SCORE: LookupSteps = { compare: true, remember: false };
const REMEMBER: LookupSteps = { compare: false, remember: true };

/**
 * A scorer with a memory of its own.
 *
 * @throws {@link ProfileError} when the weights of a profile are not usable.
 * @throws {@link MemoryMismatchError} when the memory holds vectors of another embedder.
 * @throws {@link ScorerOptionError} when another option is not usable.
 */
export function createScorer(options: ScorerOptions = {}): Scorer {
  const resolved = resolveScorerOptions(options);
  const { embedder, memory, profiles, lengthCreditCap, onWarning } = resolved;
  const parseOptions = resolved.limits === undefined ? undefined : { limits: resolved.limits };
  const lookup =
    embedder === null || memory === null ? null : createNoveltyLookup(embedder, memory, onWarning);
  let closed: Promise<void> | undefined;

  function accept(input: ReasoningTrace): ReasoningTrace {
    if (closed !== undefined) throw new ScorerClosedError();
    return parseTrace(input, parseOptions);
  }

  /** Throws at once when the trace is not valid. */
  function start(
    input: ReasoningTrace,
    steps: LookupSteps,
    budgetMs: number,
  ): Promise<ScoreReport> {
    const startedAt = performance.now();
    const trace = accept(input);
    const scored = scoreTrace(trace, profiles, lengthCreditCap);
    const report = (novelty: NoveltyReport): ScoreReport =>
      reportOf(scored, novelty, performance.now() - startedAt, budgetMs);
    if (lookup === null) return Promise.resolve(report(NO_EMBEDDER));
    const found = lookup.find(embeddedText(trace), trace.id, steps);
    return withinBudget(found, startedAt, budgetMs, () => late(found)).then(report);
  }

  function late(found: Promise<NoveltyReport>): NoveltyReport {
    found.catch((cause: Error) => {
      onWarning({ code: 'MEMORY_FAILED', message: cause.message, cause });
    });
    const source = 'budget_exceeded';
    return { source, truncated: false, ...(embedder === null ? {} : { embedder: embedder.id }) };
  }

  return {
    evaluate: async (trace) => start(trace, EVALUATE, resolved.budgetMs),
    score: async (trace) => start(trace, SCORE, resolved.budgetMs),
    async remember(input) {
      const trace = accept(input);
      await lookup?.find(embeddedText(trace), trace.id, REMEMBER);
    },
    evaluateAll: (traces, evaluateAllOptions = {}) =>
      evaluateAllWith(
        (trace, budgetMs) => start(trace, EVALUATE, budgetMs),
        traces,
        evaluateAllOptions,
      ),
    async ready() {
      if (closed !== undefined) throw new ScorerClosedError();
      await embedder?.ready?.();
    },
    close() {
      closed ??= Promise.resolve(lookup?.idle()).then(() => embedder?.close?.());
      return closed;
    },
  };
}
