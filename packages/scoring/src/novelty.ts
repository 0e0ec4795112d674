/** The novelty when there is nothing to compare with, or no embedding to compare. */
export const UNKNOWN_NOVELTY = 0.5;

/**
 * Novelty from the cosine similarity to the nearest remembered trace: `1 − similarity`, cut to
 * [0, 1], so that a negative similarity gives 1.
 */
export function noveltyOf(maxSimilarity: number): number {
  return Math.min(1, Math.max(0, 1 - maxSimilarity));
}
