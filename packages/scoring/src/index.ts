export {
  type AppliedOverride,
  applyOverrides,
  type OverriddenScore,
  type Rule,
} from './formula/apply-rules.ts';
export {
  type ComplexityTerms,
  complexity,
  complexityFromTerms,
  DIMENSIONS,
  type DimensionInfo,
  type DimensionName,
  type DimensionScores,
  labelOf,
  noveltyOf,
  outcomeConfidence,
  toolDiversity,
  UNKNOWN_NOVELTY,
} from './formula/dimensions.ts';
export { FormulaError, ProfileError, ScorerOptionError } from './formula/errors.ts';
export type { TraceFacts } from './formula/facts.ts';
export { createFormula, type Formula, type FormulaOptions } from './formula/formula.ts';
export type { NamedDimension, OwnDimension, ScoringRule } from './formula/own-parts.ts';
export { DOMAIN_PROFILES, type ScoringWeights } from './formula/profiles.ts';
export { rescore, type ScoreChange } from './formula/rescore.ts';
export {
  BUILT_IN_RULES,
  type FactRule,
  type OverrideRuleName,
  type RuleEffect,
} from './formula/rules.ts';
export type {
  FormulaIdentity,
  NearestTrace,
  NoveltyReport,
  NoveltySource,
  ScoreReport,
} from './formula/score-report.ts';
export { compositeScore, type Novelty, scoreTrace } from './formula/score-trace.ts';
export { embedderText, type TraceEmbedding, traceText } from './novelty/embed-trace.ts';
export {
  EmbeddingError,
  MemoryError,
  MemoryMismatchError,
  OperationTimeoutError,
} from './novelty/errors.ts';
export type {
  CompareAndRememberOptions,
  MemoryAnswer,
  MemoryCallOptions,
  MemoryEntry,
  MemoryStats,
  NearestOptions,
  NoveltyMemory,
  SameId,
} from './novelty/novelty-memory.ts';
export { BudgetExceededError, ScorerClosedError, ScorerOverloadedError } from './scorer/errors.ts';
export type { EvaluateAllOptions } from './scorer/evaluate-all.ts';
export {
  type PreparedTrace,
  type PrepareTraceOptions,
  prepareTrace,
} from './scorer/prepared-trace.ts';
export { type CallOptions, createScorer, evaluateValue, type Scorer } from './scorer/scorer.ts';
export type { ScorerOptions } from './scorer/scorer-options.ts';
export type { ScorerWarning } from './scorer/warnings.ts';
