export {
  createLiveScorer,
  type LiveFacts,
  type LiveScore,
  type LiveScorer,
  type LiveScorerOptions,
  type OnScore,
} from './live/live-scorer.ts';
export type { Outcome, ScoreUpdate } from './live/outcomes.ts';
export { explainScore } from './run/explain-score.ts';
export {
  type FinishedRun,
  finishRun,
  type GivenFacts,
  type ReadRun,
  type RunFacts,
  type SpanReference,
} from './run/finished-run.ts';
export { IntegrationError, type IntegrationErrorCode } from './run/integration-error.ts';
export type { RunEnding } from './run/run-ending.ts';
export type { ScoreTarget, SentScore } from './send/score-target.ts';
