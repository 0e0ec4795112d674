import {
  applyOverrides,
  complexity,
  compositeScore,
  type DimensionScores,
  type OverriddenScore,
  outcomeConfidence,
  parseTrace,
  type ReasoningTrace,
  type ScoreReport,
  type Scorer,
  type ScoringWeights,
  toolDiversity,
  type VectorCache,
} from '@knowledgepulse/sdk';

/** What is measured, one function a part, so that a test can put a slower one in its place. */
export interface Subjects {
  complexity(trace: ReasoningTrace): number;
  toolDiversity(trace: ReasoningTrace): number;
  outcomeConfidence(trace: ReasoningTrace): number;
  compositeScore(dimensions: DimensionScores, weights: ScoringWeights): number;
  applyOverrides(composite: number, trace: ReasoningTrace): OverriddenScore;
  parseTrace(trace: unknown): ReasoningTrace;
  add(cache: VectorCache, vector: Float32Array): void;
  maxCosineSimilarity(cache: VectorCache, query: Float32Array): number;
  evaluate(scorer: Scorer, trace: ReasoningTrace): Promise<ScoreReport>;
}

export const SDK_SUBJECTS: Subjects = {
  complexity,
  toolDiversity,
  outcomeConfidence,
  compositeScore,
  applyOverrides,
  parseTrace,
  add: (cache, vector) => cache.add(vector),
  maxCosineSimilarity: (cache, query) => cache.maxCosineSimilarity(query),
  evaluate: (scorer, trace) => scorer.evaluate(trace),
};
