export { explainScore } from './explain-score.ts';
export {
  type FinishedRun,
  finishRun,
  type ReadRun,
  type RunFacts,
} from './finished-run.ts';
export { IntegrationError, type IntegrationErrorCode } from './integration-error.ts';
export {
  createLiveScorer,
  type LiveFacts,
  type LiveScore,
  type LiveScorer,
  type LiveScorerOptions,
  type OnScore,
} from './live/live-scorer.ts';
