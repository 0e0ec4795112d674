import type { ScoreReport, Scorer } from '@kp/scoring';
import { type FinishedRun, finishRun, type ReadRun, type RunFacts } from './finished-run.ts';
import { IntegrationError, overloaded } from './integration-error.ts';
import { messageOf } from './json-values.ts';

/** A live run and its score. */
export interface LiveScore extends FinishedRun {
  /** The score with its derivation. */
  readonly report: ScoreReport;
}

/** Told of a run and its score. */
export type OnScore = (score: LiveScore) => void | Promise<void>;

/** What runs are scored by, and who is told. */
export interface LiveScorerOptions {
  /** Scores the runs, and remembers them unless told otherwise. */
  readonly scorer: Scorer;
  /** Told of each score, in the order in which the runs ended. */
  readonly onScore?: OnScore;
  /**
   * Told of what went wrong, since nothing of it reaches the agent: a run that could not be read or
   * scored, an `onScore` that threw, runs dropped for want of room. `console.warn` when left out,
   * once a code.
   */
  readonly onError?: (error: IntegrationError) => void;
  /**
   * False compares runs with what the memory holds and leaves it as it is, so that the order of runs
   * changes nothing. Default true.
   */
  readonly remember?: boolean;
  /** Runs that may wait; more are dropped, and `onError` is told. Default 1,000. */
  readonly maxPending?: number;
}

/** What is known of a run, or a function that is asked when the run is read. */
export type LiveFacts = RunFacts | (() => RunFacts | undefined) | undefined;

/** Scores runs beside a live agent: never in its way, never failing it. */
export interface LiveScorer {
  /**
   * Takes a run that has ended, and returns at once. Never throws.
   *
   * @param read - called later, when the agent is not busy.
   * @param facts - as they are, or asked for then.
   * @param onScored - told of this run's score, before `onScore`.
   */
  add(read: () => ReadRun, facts?: LiveFacts, onScored?: OnScore): void;
  /**
   * A hook that a library may call: what it throws goes to `onError` and not to the agent.
   *
   * @param hook - what to run in it.
   */
  guard<Args extends readonly unknown[]>(hook: (...args: Args) => void): (...args: Args) => void;
  /** How many runs wait or are being scored. */
  readonly pending: number;
  /**
   * Resolves when every run that was added before is scored and told of; also when `timeoutMs`
   * (10,000) has passed, which `onError` is told. Never rejects.
   *
   * @param timeoutMs - how long it may take.
   */
  flush(timeoutMs?: number): Promise<void>;
}

const MOST_PENDING = 1000;
const FLUSH_TIMEOUT_MS = 10_000;

/** @throws {@link IntegrationError} `OPTION_INVALID` when an option is not usable. */
export function createLiveScorer(options: LiveScorerOptions): LiveScorer {
  const { scorer, onScore, maxPending = MOST_PENDING, remember = true } = options;
  checkOptions(options);
  const report = createErrorReporter(options.onError);
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
      const finished = await finishRun(read(), typeof facts === 'function' ? facts() : facts);
      const { trace } = finished;
      const made = remember ? await scorer.evaluate(trace) : await scorer.score(trace);
      score = { ...finished, report: made };
    } catch (cause) {
      report(asIntegrationError(cause, 'live run'));
      return;
    }
    await tell(onScored, score);
    await tell(onScore, score);
  }

  async function tell(callback: OnScore | undefined, score: LiveScore): Promise<void> {
    try {
      await callback?.(score);
    } catch (cause) {
      report(isIntegrationError(cause) ? cause : callbackFailed(cause));
    }
  }

  async function work(): Promise<void> {
    for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
      // A turn of the event loop between two runs, so that the agent's own work comes first.
      await new Promise((resolve) => setTimeout(resolve, 0));
      await next();
      pending--;
    }
    isWorking = false;
  }

  return {
    add(read, facts, onScored) {
      if (pending >= maxPending) {
        const remedy = 'Raise maxPending, or use a faster embedder or memory.';
        report(overloaded(`${maxPending} runs waiting`, remedy));
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
          report(asIntegrationError(cause, 'what the library told'));
        }
      };
    },
    get pending() {
      return pending;
    },
    async flush(timeoutMs = FLUSH_TIMEOUT_MS) {
      if (await settlesWithin(idle, timeoutMs)) return;
      report(
        new IntegrationError('FLUSH_TIMED_OUT', {
          subject: 'flush',
          expected: `all runs scored within ${timeoutMs} ms`,
          received: `${pending} still under way`,
          remedy: 'They go on; give flush more time, or end the process without them.',
        }),
      );
    },
  };
}

function checkOptions({ scorer, maxPending = MOST_PENDING }: LiveScorerOptions): void {
  if (typeof scorer?.evaluate !== 'function') {
    throw new IntegrationError('OPTION_INVALID', {
      subject: 'scorer',
      expected: 'a scorer',
      received: typeof scorer,
      remedy: 'Make one: createScorer({ embedder: createLexicalEmbedder() }).',
    });
  }
  if (!(maxPending >= 1)) {
    throw new IntegrationError('OPTION_INVALID', {
      subject: 'maxPending',
      expected: 'a number of at least 1',
      received: String(maxPending),
      remedy: 'Leave it out for 1,000.',
    });
  }
}

/** An `onError` that throws must not end the agent's process either. */
function createErrorReporter(
  onError: LiveScorerOptions['onError'],
): (error: IntegrationError) => void {
  const warned = new Set<string>();
  return (error) => {
    try {
      if (onError !== undefined) onError(error);
      else if (!warned.has(error.code)) {
        warned.add(error.code);
        warn(`${error.message} (said once)`);
      }
    } catch (cause) {
      if (warned.has('onError')) return;
      warned.add('onError');
      warn(`onError threw: ${messageOf(cause)} (said once)`);
    }
  };
}

function warn(message: string): void {
  // biome-ignore lint/suspicious/noConsole: who set no handler must still see that runs are lost.
  globalThis.console?.warn(`[@kp/integrations] ${message}`);
}

function callbackFailed(cause: unknown): IntegrationError {
  return new IntegrationError('CALLBACK_FAILED', {
    subject: 'onScore',
    expected: 'a callback that returns',
    received: messageOf(cause),
    remedy: 'The score was made; what the callback did with it is lost.',
    cause,
  });
}

function asIntegrationError(cause: unknown, subject: string): IntegrationError {
  if (isIntegrationError(cause)) return cause;
  return new IntegrationError('SCORING_FAILED', {
    subject,
    expected: 'a run that can be scored',
    received: messageOf(cause),
    remedy: 'The agent goes on without a score of this run.',
    cause,
  });
}

/** What was thrown may be a proxy that refuses to say what it is. */
function isIntegrationError(cause: unknown): cause is IntegrationError {
  try {
    return cause instanceof IntegrationError;
  } catch {
    return false;
  }
}

async function settlesWithin(promise: Promise<void>, milliseconds: number): Promise<boolean> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const late = new Promise<false>((resolve) => {
    timer = setTimeout(() => resolve(false), Math.min(milliseconds, 2 ** 31 - 1));
  });
  try {
    return await Promise.race([promise.then(() => true as const), late]);
  } finally {
    clearTimeout(timer);
  }
}
