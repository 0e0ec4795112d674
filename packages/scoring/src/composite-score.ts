import type { ScoringWeights } from './weights.ts';

/** The four dimensions, each in [0, 1]. */
export interface DimensionScores {
  readonly complexity: number;
  readonly novelty: number;
  readonly toolDiversity: number;
  readonly outcomeConfidence: number;
}

/**
 * The weighted sum of the dimensions, `C·wC + N·wN + D·wD + O·wO`.
 *
 * @returns a value in [0, 1]; what rounding adds above 1 is cut off.
 */
export function compositeScore(dimensions: DimensionScores, weights: ScoringWeights): number {
  return sumOfContributions(contributionsOf(dimensions, weights));
}

/** Value times weight, dimension by dimension. */
export function contributionsOf(
  dimensions: DimensionScores,
  weights: ScoringWeights,
): DimensionScores {
  return {
    complexity: dimensions.complexity * weights.complexity,
    novelty: dimensions.novelty * weights.novelty,
    toolDiversity: dimensions.toolDiversity * weights.toolDiversity,
    outcomeConfidence: dimensions.outcomeConfidence * weights.outcomeConfidence,
  };
}

export function sumOfContributions(contributions: DimensionScores): number {
  const { complexity, novelty, toolDiversity, outcomeConfidence } = contributions;
  return Math.min(1, complexity + novelty + toolDiversity + outcomeConfidence);
}
