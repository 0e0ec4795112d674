export {
  createScoringSpanProcessor,
  type ScoringSpanProcessor,
  type ScoringSpanProcessorOptions,
} from '@kp/integrations/otel';
