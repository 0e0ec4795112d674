import { mean } from '../statistics/rank-statistics.ts';
import { OUTCOME_FEATURES, type OutcomeFeature, type OutcomeFeatures } from './outcome-features.ts';

/** C, the inverse of the ridge penalty of a standardised feature. */
export const INVERSE_PENALTY = 0.02;

/** Mean and standard deviation of a feature over some runs. */
export interface FeatureScale {
  readonly name: OutcomeFeature;
  readonly mean: number;
  readonly deviation: number;
}

interface RunFeatures {
  readonly features: OutcomeFeatures;
}

const NAMES = Object.keys(OUTCOME_FEATURES) as OutcomeFeature[];

/** Returns the scales of the features that vary in the runs. */
export function scalesOf(runs: readonly RunFeatures[]): FeatureScale[] {
  return NAMES.map((name) => {
    const values = runs.map(({ features }) => features[name]);
    const middle = mean(values);
    const deviation = Math.sqrt(mean(values.map((value) => (value - middle) ** 2)));
    return { name, mean: middle, deviation };
  }).filter(({ deviation }) => deviation > 1e-9);
}

/** Returns 1 for the intercept and then the features of a run, each with mean 0 and deviation 1. */
export function standardised({ features }: RunFeatures, scales: readonly FeatureScale[]): number[] {
  return [1, ...scales.map((scale) => (features[scale.name] - scale.mean) / scale.deviation)];
}
