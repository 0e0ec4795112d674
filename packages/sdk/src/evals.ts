export {
  createEvaliteScorer,
  createEvaluator,
  createLangSmithEvaluator,
  type EvaluatedCase,
  type EvaluatorOptions,
  type EvaluatorScore,
  matchTrajectory,
  type TrajectoryCall,
  type TrajectoryMatch,
  type TrajectoryMatchOptions,
} from '@kp/integrations/evals';
