import { type KnowledgePulseError, type OptionNames, withTimeout } from '@kp/foundation';
import {
  type FinishedRun,
  finishRun,
  type GivenFacts,
  type ReadRun,
  type SpanReference,
} from '../run/finished-run.ts';
import { createCallbacks, isPromiseLike } from './callbacks.ts';
import {
  type LiveScore,
  type LiveScorerOptions,
  type OnScore,
  resolveOptions,
} from './live-options.ts';
import { createOutcomes, namesOf, type Outcome, readOutcome, withOutcome } from './outcomes.ts';
import { asReportedError, createErrorReporter } from './report-errors.ts';
import { createRunQueue } from './run-queue.ts';
import { createScoreSender } from './score-sender.ts';
import { flushTimedOut, scoringTimedOut } from './timeout-errors.ts';

export type { LiveScore, LiveScorerOptions, OnScore } from './live-options.ts';

/** Facts about a run, or a function that returns them when the run is read. */
export type LiveFacts =
  | GivenFacts
  | (() => GivenFacts | undefined | Promise<GivenFacts | undefined>)
  | undefined;

/** Scores the runs of a live agent without delaying it or making it fail. */
export interface LiveScorer {
  /**
   * Queues a finished run and returns immediately. Never throws.
   *
   * @param read - reads the run. Called later, when the agent is idle.
   * @param facts - facts about the run, or a function that returns them.
   * @param onScored - receives this run's score, before `onScore`.
   */
  add(read: () => ReadRun, facts?: LiveFacts, onScored?: OnScore): void;
  /**
   * Wraps a hook that a library calls. Errors of the hook go to `onError` and not to the agent.
   *
   * @param hook - the function to wrap.
   */
  guard<Args extends readonly unknown[]>(hook: (...args: Args) => void): (...args: Args) => void;
  /**
   * Sets the outcome of a run. A run that is already scored is scored again, and `onScoreUpdated` receives
   * the result. The memory does not change. Never throws: an invalid outcome is reported and not used.
   *
   * @param runId - the `runId` of the score, the id of its trace, or the library's id of the run, such as
   *   a trace id of OpenAI's SDK or a run id of LangChain. The id of a Claude session or an OpenTelemetry
   *   trace refers to its last run.
   * @param outcome - the outcome of the run.
   */
  setOutcome(runId: string, outcome: Outcome): void;
  /**
   * Passes an error to `onError`. Never throws.
   *
   * @param error - the error to report.
   */
  report(error: KnowledgePulseError): void;
  /** Number of runs that are queued or being scored. */
  readonly pending: number;
  /**
   * Resolves when all runs added so far are scored, their callbacks have settled and their scores are sent,
   * or after `timeoutMs`. A timeout is reported to `onError`. Never rejects.
   *
   * @param timeoutMs - timeout in milliseconds. Default: 10,000.
   */
  flush(timeoutMs?: number): Promise<void>;
}

/** Exceeds the scorer's own timeouts for embedder and memory. */
const SCORING_TIMEOUT_MS = 120_000;
/** Default of {@link LiveScorer.flush}. */
export const FLUSH_TIMEOUT_MS = 10_000;

/** @throws {@link IntegrationError} `OPTION_INVALID` if an option is invalid. */
export function createLiveScorer(options: LiveScorerOptions): LiveScorer {
  return startLiveScorer(options, {});
}

/**
 * Like {@link createLiveScorer}.
 *
 * @param more - names of further options, which the caller reads.
 */
export function startLiveScorer(options: LiveScorerOptions, more: OptionNames): LiveScorer {
  const settings = resolveOptions(options, more);
  const { scorer, onScore, onScoreUpdated, outcomeOf, sample, remember } = settings;
  const { maxPending, outcomeTimeoutMs, sendTo = [], sendTimeoutMs } = settings;
  const report = createErrorReporter(options.onError);
  const callbacks = createCallbacks(report, settings.callbackTimeoutMs);
  // With sampling, most runs have no score, so an outcome for an unknown run is not an error.
  const reportUnknown = sample === 1 ? report : () => undefined;
  const outcomes = createOutcomes(report, reportUnknown, maxPending, outcomeTimeoutMs);
  const sender = createScoreSender([sendTo].flat(), report, maxPending, sendTimeoutMs);
  /** Pending calls of `outcomeOf` and `onScoreUpdated`. */
  const unsettled = new Set<Promise<void>>();
  const queue = createRunQueue(maxPending, report, () => callbacks.current);

  /** Converts the run to a trace with its outcome, if known. Returns undefined for a run not sampled. */
  async function prepare(read: () => ReadRun, facts: LiveFacts): Promise<PreparedRun | undefined> {
    if (typeof sample === 'number' && Math.random() >= sample) return undefined;
    const known = typeof facts === 'function' ? await callbacks.call('factsOf', facts) : facts;
    // JavaScript callers may return a promise here and from `sample`: await it so that a rejection is
    // reported like any error.
    const given = await read();
    const run = await finishRun(given, known);
    const isChosen =
      typeof sample !== 'function' || (await callbacks.call('sample', () => sample(run)));
    if (isChosen === false) return undefined;
    const names = namesOf(given, known, run);
    const outcome = outcomes.take(names) ?? askForOutcome(names, run);
    const span = known?.span ?? given.span;
    return { names, span, run: outcome === undefined ? run : withOutcome(run, outcome) };
  }

  /** Returns an outcome that is available immediately. A later one goes to `setOutcome`. */
  function askForOutcome(names: readonly string[], run: FinishedRun): Outcome | undefined {
    if (outcomeOf === undefined) return undefined;
    return callbacks.now('outcomeOf', () => {
      const answer = outcomeOf(run);
      if (!isPromiseLike(answer)) return readOutcome(answer, report);
      const [runId = run.trace.id] = names;
      const asking = callbacks.later('outcomeOf', answer, outcomeTimeoutMs).then((outcome) => {
        unsettled.delete(asking);
        setOutcome(runId, outcome);
      });
      unsettled.add(asking);
      return undefined;
    });
  }

  function setOutcome(runId: string, given: Outcome | undefined): void {
    const outcome = readOutcome(given, report);
    const update = outcome && outcomes.set(runId, outcome);
    if (update === undefined) return;
    sender.send({ ...update, span: update.span });
    if (onScoreUpdated === undefined) return;
    const updating = callbacks
      .call('onScoreUpdated', () => onScoreUpdated(update))
      .then(() => {
        unsettled.delete(updating);
      });
    unsettled.add(updating);
  }

  async function scoreOne(
    read: () => ReadRun,
    facts: LiveFacts,
    onScored: OnScore | undefined,
  ): Promise<void> {
    let score: LiveScore;
    let names: readonly string[];
    try {
      const prepared = await prepare(read, facts);
      if (prepared === undefined) return;
      const { run, span } = prepared;
      names = prepared.names;
      const scoring = remember ? scorer.evaluate(run.trace) : scorer.score(run.trace);
      const made = await withTimeout(scoring, SCORING_TIMEOUT_MS, () =>
        scoringTimedOut(SCORING_TIMEOUT_MS),
      );
      const [runId = run.trace.id] = names;
      score = { runId, span, ...run, report: made };
      outcomes.keep(names, score);
      sender.send({ ...score, traceId: run.trace.id, span });
    } catch (cause) {
      report(asReportedError(cause, 'live run'));
      return;
    }
    if (onScored !== undefined) await callbacks.call('onScored', () => onScored(score));
    if (onScore !== undefined) await callbacks.call('onScore', () => onScore(score));
    // This outcome was set while the run was being scored.
    const outcome = outcomes.take(names);
    if (outcome !== undefined) setOutcome(score.runId, outcome);
  }

  /** Waits for pending outcomes, their updates, and scores that are being sent. */
  async function allSettled(): Promise<void> {
    while (unsettled.size > 0) await Promise.all(unsettled);
    await sender.settled();
  }

  return {
    add(read, facts, onScored) {
      queue.add(() => scoreOne(read, facts, onScored));
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
    setOutcome,
    report,
    get pending() {
      return queue.pending;
    },
    async flush(timeoutMs = FLUSH_TIMEOUT_MS) {
      const settled = queue.idle.then(allSettled);
      await withTimeout(settled, timeoutMs, () => undefined).catch(() => {
        const { current } = callbacks;
        report(flushTimedOut(timeoutMs, { pending: queue.pending, current, unsent: sender.busy }));
      });
    },
  };
}

/** A run that is ready to be scored. */
interface PreparedRun {
  readonly names: readonly string[];
  readonly run: FinishedRun;
  readonly span: SpanReference | undefined;
}
