export {
  type ComplexityTerms,
  complexity,
  type DimensionName,
  type DimensionScores,
  noveltyOf,
  outcomeConfidence,
  type TraceFacts,
  toolDiversity,
} from './dimensions.ts';
export { traceText } from './embed-trace.ts';
export {
  BudgetExceededError,
  EmbeddingError,
  FormulaError,
  MemoryError,
  MemoryMismatchError,
  OperationTimeoutError,
  ProfileError,
  ScorerClosedError,
  ScorerOptionError,
  ScorerOverloadedError,
} from './errors.ts';
export type { EvaluateAllOptions } from './evaluate-all.ts';
export { compositeScore, type OwnDimension } from './formula.ts';
export type {
  CompareAndRememberOptions,
  MemoryAnswer,
  MemoryCallOptions,
  MemoryEntry,
  MemoryStats,
  NearestOptions,
  NearestTrace,
  NoveltyMemory,
  SameId,
} from './novelty-memory.ts';
export { DOMAIN_PROFILES, type ScoringWeights } from './profiles.ts';
export {
  type AppliedOverride,
  applyOverrides,
  type OverriddenScore,
  type OverrideRuleName,
  type ScoringRule,
} from './rules.ts';
export type { Formula, NoveltyReport, NoveltySource, ScoreReport } from './score-report.ts';
export { type CallOptions, createScorer, evaluateValue, type Scorer } from './scorer.ts';
export type { ScorerOptions } from './scorer-options.ts';
export type { ScorerWarning } from './warnings.ts';
