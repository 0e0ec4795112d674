export { type ComplexityTerms, complexity } from './complexity.ts';
export { compositeScore, type DimensionScores } from './composite-score.ts';
export {
  EmbeddingError,
  MemoryError,
  MemoryMismatchError,
  ProfileError,
  ScorerClosedError,
  ScorerOptionError,
} from './errors.ts';
export type { EvaluateAllOptions } from './evaluate-all.ts';
export { evaluateValue } from './evaluate-value.ts';
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
export { outcomeConfidence } from './outcome-confidence.ts';
export {
  type AppliedOverride,
  applyOverrides,
  type OverriddenScore,
  type OverrideRuleName,
} from './overrides.ts';
export { DOMAIN_PROFILES } from './profiles.ts';
export type { NoveltyReport, NoveltySource, ScoreReport } from './score-report.ts';
export { createScorer, type Scorer } from './scorer.ts';
export type { ScorerOptions } from './scorer-options.ts';
export { toolDiversity } from './tool-diversity.ts';
export { traceText } from './trace-text.ts';
export type { ScorerWarning } from './warnings.ts';
export type { ScoringWeights } from './weights.ts';
