import { ProfileError } from './errors.ts';

/** How much each dimension counts. Each weight is at least 0; together they are 1. */
export interface ScoringWeights {
  readonly complexity: number;
  readonly novelty: number;
  readonly toolDiversity: number;
  readonly outcomeConfidence: number;
}

const SUM_TOLERANCE = 1e-9;

/**
 * A frozen copy of a profile's weights.
 *
 * @throws {@link ProfileError} when a weight is not a finite number, is negative, or when their
 * sum is further than 1e-9 from 1.
 */
export function checkWeights(profile: string, weights: ScoringWeights): ScoringWeights {
  if (typeof weights !== 'object' || weights === null) {
    throw new ProfileError(profile, 'an object of four weights', String(weights));
  }
  const { complexity, novelty, toolDiversity, outcomeConfidence } = weights;
  const copy = { complexity, novelty, toolDiversity, outcomeConfidence };
  for (const [name, weight] of Object.entries(copy)) {
    if (typeof weight !== 'number' || !Number.isFinite(weight) || weight < 0) {
      throw new ProfileError(profile, `weight ${name} finite and at least 0`, String(weight));
    }
  }
  const sum = complexity + novelty + toolDiversity + outcomeConfidence;
  if (Math.abs(sum - 1) > SUM_TOLERANCE) {
    throw new ProfileError(profile, 'weights that sum to 1', `a sum of ${sum}`);
  }
  return Object.freeze(copy);
}
