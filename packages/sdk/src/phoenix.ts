export {
  createPhoenixScores,
  type PhoenixAnnotation,
  type PhoenixClientLike,
  type PhoenixScoresOptions,
  type ScoreTarget,
  type SentScore,
} from '@kp/integrations/phoenix';
