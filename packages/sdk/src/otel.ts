export {
  createScoringSpanProcessor,
  createSpanScores,
  type ScoringSpanProcessor,
  type ScoringSpanProcessorOptions,
  type SpanScoresOptions,
} from '@kp/integrations/otel';
