import { describeValue, type KnowledgePulseError } from '@kp/foundation';
import type { ScoreReport, Scorer } from '@kp/scoring';
import type { FinishedRun, SpanReference } from '../run/finished-run.ts';
import { IntegrationError } from '../run/integration-error.ts';
import type { ScoreTarget } from '../send/score-target.ts';
import type { Outcome, ScoreUpdate } from './outcomes.ts';

/** A live run and its score. */
export interface LiveScore extends FinishedRun {
  /** The id that the library gives the run, or else that of its trace; for `setOutcome`. */
  readonly runId: string;
  /** The score with its derivation. */
  readonly report: ScoreReport;
  /** Where the run is in a tool for observability, if that is known. */
  readonly span?: SpanReference;
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
  /**
   * How a run went, such as by a test or a grader. An answer that takes time does not delay the score:
   * `onScoreUpdated` receives the score with it.
   */
  readonly outcomeOf?: (run: FinishedRun) => Outcome | undefined | Promise<Outcome | undefined>;
  /** Receives the score of a run again when its outcome becomes known. */
  readonly onScoreUpdated?: (update: ScoreUpdate) => void | Promise<void>;
  /**
   * How long the outcome of a run may take, in milliseconds. Default 3,600,000, an hour. What is needed
   * to score a run again is kept of at most `maxPending` runs.
   */
  readonly outcomeTimeoutMs?: number;
  /** Which runs are scored: a share from 0 to 1, or a function. Default 1. */
  readonly sample?: number | ((run: FinishedRun) => boolean);
  /**
   * Where scores are sent: `createLangfuseScores()`, `createPhoenixScores()`,
   * `createBraintrustScores()`, `createSpanScores()`. Nothing is sent without it. Scoring does not wait
   * for it; what fails goes to `onError`. The score of a later outcome replaces the earlier one.
   */
  readonly sendTo?: ScoreTarget | readonly ScoreTarget[];
  /** How long sending one score may take, in milliseconds. Default 10,000. */
  readonly sendTimeoutMs?: number;
}

const DEFAULTS = {
  remember: true,
  maxPending: 1000,
  callbackTimeoutMs: 5000,
  outcomeTimeoutMs: 3_600_000,
  sample: 1,
  sendTimeoutMs: 10_000,
} as const;

/** The options with their defaults. */
export type LiveSettings = LiveScorerOptions &
  Required<Pick<LiveScorerOptions, keyof typeof DEFAULTS>>;

/** @throws {@link IntegrationError} `OPTION_INVALID` when an option is not usable. */
export function resolveOptions(options: LiveScorerOptions): LiveSettings {
  const given = Object.entries(options).filter(([, value]) => value !== undefined);
  const settings = { ...DEFAULTS, ...Object.fromEntries(given) } as LiveSettings;
  checkScorer(settings.scorer);
  checkAtLeast('maxPending', settings.maxPending, 1);
  checkAtLeast('callbackTimeoutMs', settings.callbackTimeoutMs, 0);
  checkAtLeast('outcomeTimeoutMs', settings.outcomeTimeoutMs, 0);
  checkAtLeast('sendTimeoutMs', settings.sendTimeoutMs, 1);
  for (const target of [settings.sendTo ?? []].flat()) checkTarget(target);
  if (typeof settings.sample !== 'function') checkAtLeast('sample', settings.sample, 0);
  return settings;
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

function checkTarget(target: unknown): void {
  if (typeof Reflect.get(Object(target), 'send') === 'function') return;
  throw new IntegrationError('OPTION_INVALID', {
    subject: 'sendTo',
    expected: 'a target of scores, or a list of them',
    received: describeValue(target),
    remedy: 'make one: createLangfuseScores()',
  });
}

function checkAtLeast(subject: keyof typeof DEFAULTS, value: unknown, least: number): void {
  if (typeof value === 'number' && value >= least) return;
  throw new IntegrationError('OPTION_INVALID', {
    subject,
    expected: `a number of at least ${least}`,
    received: describeValue(value),
    remedy: `leave it out for ${DEFAULTS[subject]}`,
  });
}
