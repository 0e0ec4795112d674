export {
  type AiSdkCall,
  type AiSdkFacts,
  type AiSdkListener,
  type AiSdkScorer,
  type AiSdkScorerOptions,
  type AiSdkScoring,
  type AiSdkTelemetry,
  createAiSdkScorer,
  fromAiSdk,
  type GivenTelemetry,
} from '@kp/integrations/ai-sdk';
