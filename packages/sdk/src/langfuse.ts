export {
  createLangfuseScores,
  type LangfuseClientLike,
  type LangfuseScoresOptions,
  type ScoreTarget,
  type SentScore,
} from '@kp/integrations/langfuse';
