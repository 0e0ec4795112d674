import { describeValue, type KnowledgePulseError, withTimeout } from '@kp/foundation';
import type { ScoreReport, Scorer } from '@kp/scoring';
import { type FinishedRun, finishRun, type ReadRun, type RunFacts } from '../run/finished-run.ts';
import { IntegrationError, overloaded } from '../run/integration-error.ts';
import { createCallbacks } from './callbacks.ts';
import { asReportedError, createErrorReporter } from './report-errors.ts';

/** A live run and its score. */
export interface LiveScore extends FinishedRun {
  /** The score with its derivation. */
  readonly report: ScoreReport;
}

/** Receives a run and its score. */
export type OnScore = (score: LiveScore) => void | Promise<void>;

/** How live runs are scored, and where scores and errors go. */
export interface LiveScorerOptions {
  /** Scores the runs, and remembers them unless `remember` is false. */
  readonly scorer: Scorer;
  /** Receives each score, in the order in which the runs ended. */
  readonly onScore?: OnScore;
  /**
   * Receives each error, since none of them reaches the agent: a run that cannot be read or scored,
   * a callback that threw or did not settle, runs dropped because too many were waiting. By default
   * `console.warn`, once for each code.
   */
  readonly onError?: (error: KnowledgePulseError) => void;
  /**
   * False compares runs with what the memory holds and leaves it unchanged, so that the order of runs
   * does not matter. Default true.
   */
  readonly remember?: boolean;
  /** How many runs may wait; further ones are dropped and reported. Default 1,000. */
  readonly maxPending?: number;
  /** How long scoring waits for one call of `onScore` or `factsOf`, in milliseconds. Default 5,000. */
  readonly callbackTimeoutMs?: number;
}

/** What is known of a run, or a function that returns it; it is called when the run is read. */
export type LiveFacts =
  | RunFacts
  | (() => RunFacts | undefined | Promise<RunFacts | undefined>)
  | undefined;

/** Scores runs beside a live agent. It neither delays the agent nor makes it fail. */
export interface LiveScorer {
  /**
   * Takes a run that has ended, and returns at once. Never throws.
   *
   * @param read - called later, when the agent is not busy.
   * @param facts - what is known of the run, or a function that returns it.
   * @param onScored - receives this run's score, before `onScore`.
   */
  add(read: () => ReadRun, facts?: LiveFacts, onScored?: OnScore): void;
  /**
   * Wraps a hook that a library calls: what it throws goes to `onError` and not to the agent.
   *
   * @param hook - the function to wrap.
   */
  guard<Args extends readonly unknown[]>(hook: (...args: Args) => void): (...args: Args) => void;
  /**
   * Passes an error to `onError`. Never throws.
   *
   * @param error - what went wrong.
   */
  report(error: KnowledgePulseError): void;
  /** How many runs wait or are being scored. */
  readonly pending: number;
  /**
   * Resolves when every run added before is scored and its callbacks have settled, or after
   * `timeoutMs`, which is reported to `onError`. Never rejects.
   *
   * @param timeoutMs - default 10,000.
   */
  flush(timeoutMs?: number): Promise<void>;
}

const MAX_PENDING = 1000;
const CALLBACK_TIMEOUT_MS = 5000;
/** Longer than a scorer waits for its embedder and memory. */
const SCORING_TIMEOUT_MS = 120_000;
/** Default of {@link LiveScorer.flush}. */
export const FLUSH_TIMEOUT_MS = 10_000;

/** @throws {@link IntegrationError} `OPTION_INVALID` when an option is not usable. */
export function createLiveScorer(options: LiveScorerOptions): LiveScorer {
  const { scorer, onScore, maxPending = MAX_PENDING, remember = true } = options;
  checkOptions(options);
  const report = createErrorReporter(options.onError);
  const callbacks = createCallbacks(report, options.callbackTimeoutMs ?? CALLBACK_TIMEOUT_MS);
  const waiting: (() => Promise<void>)[] = [];
  let pending = 0;
  let isWorking = false;
  let idle: Promise<void> = Promise.resolve();

  async function scoreOne(
    read: () => ReadRun,
    facts: LiveFacts,
    onScored: OnScore | undefined,
  ): Promise<void> {
    let score: LiveScore;
    try {
      const known = typeof facts === 'function' ? await callbacks.call('factsOf', facts) : facts;
      const finished = await finishRun(read(), known);
      const { trace } = finished;
      const scoring = remember ? scorer.evaluate(trace) : scorer.score(trace);
      const made = await withTimeout(scoring, SCORING_TIMEOUT_MS, scoringTimedOut);
      score = { ...finished, report: made };
    } catch (cause) {
      report(asReportedError(cause, 'live run'));
      return;
    }
    if (onScored !== undefined) await callbacks.call('onScored', () => onScored(score));
    if (onScore !== undefined) await callbacks.call('onScore', () => onScore(score));
  }

  async function work(): Promise<void> {
    for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
      // One turn of the event loop between two runs, so that the agent's own work comes first.
      await new Promise((resolve) => setTimeout(resolve, 0));
      await next();
      pending--;
    }
    isWorking = false;
  }

  function flushTimedOut(timeoutMs: number): void {
    const { current } = callbacks;
    const received = `${pending} still pending`;
    const remedy = 'give flush more time, or end the process without them';
    report(
      new IntegrationError('FLUSH_TIMED_OUT', {
        subject: 'flush',
        expected: `all runs scored within ${timeoutMs} ms`,
        received: current === undefined ? received : `${received}, waiting for ${current}`,
        remedy,
      }),
    );
  }

  return {
    add(read, facts, onScored) {
      if (pending >= maxPending) {
        const { current } = callbacks;
        const slow =
          current === undefined ? 'use a faster embedder or memory' : `speed up ${current}`;
        report(overloaded(`${maxPending} runs waiting`, `raise maxPending, or ${slow}`));
        return;
      }
      pending++;
      waiting.push(() => scoreOne(read, facts, onScored));
      if (isWorking) return;
      isWorking = true;
      idle = work();
    },
    guard: (hook) => {
      return (...args) => {
        try {
          hook(...args);
        } catch (cause) {
          report(asReportedError(cause, 'event of the library'));
        }
      };
    },
    report,
    get pending() {
      return pending;
    },
    async flush(timeoutMs = FLUSH_TIMEOUT_MS) {
      await withTimeout(idle, timeoutMs, () => undefined).catch(() => flushTimedOut(timeoutMs));
    },
  };
}

function scoringTimedOut(): IntegrationError {
  return new IntegrationError('SCORING_FAILED', {
    subject: 'scorer',
    expected: `a report within ${SCORING_TIMEOUT_MS} ms`,
    received: 'none',
    remedy: 'the agent is not affected; this run has no score',
  });
}

function checkOptions(options: LiveScorerOptions): void {
  checkScorer(options.scorer);
  checkAtLeast('maxPending', options.maxPending, 1, 'leave it out for 1,000');
  checkAtLeast('callbackTimeoutMs', options.callbackTimeoutMs, 0, 'leave it out for 5,000');
}

/** @throws {@link IntegrationError} `OPTION_INVALID` when it is not a scorer. */
export function checkScorer(scorer: unknown): void {
  const evaluate: unknown = Reflect.get(Object(scorer), 'evaluate');
  if (typeof evaluate === 'function') return;
  throw new IntegrationError('OPTION_INVALID', {
    subject: 'scorer',
    expected: 'a scorer',
    received: describeValue(scorer),
    remedy: 'make one: createScorer({ embedder: createLexicalEmbedder() })',
  });
}

function checkAtLeast(subject: string, value: unknown, least: number, remedy: string): void {
  if (value === undefined || (typeof value === 'number' && value >= least)) return;
  const expected = `a number of at least ${least}`;
  const received = describeValue(value);
  throw new IntegrationError('OPTION_INVALID', { subject, expected, received, remedy });
}
