export {
  createLangfuseScores,
  type LangfuseClientLike,
  type LangfuseScore,
  type LangfuseScoresOptions,
  type ScoreTarget,
  type SentScore,
} from '@kp/integrations/langfuse';
