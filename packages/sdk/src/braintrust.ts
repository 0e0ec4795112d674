export {
  type BraintrustScoresOptions,
  createBraintrustScores,
  type ScoreTarget,
  type SentScore,
} from '@kp/integrations/braintrust';
