export {
  createEvaliteScorer,
  createEvaluator,
  createLangSmithEvaluator,
  type EvaluatedCase,
  type EvaluatorOptions,
  type EvaluatorScore,
} from '@kp/integrations/evals';
