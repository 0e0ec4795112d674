import { mean } from './rank-statistics.ts';

// Even if all of 5 differences have one sign, that is chance in 2 / 2^5 = 6 % of cases; of 6, in 3 %.
const FEWEST = 6;

/**
 * The 95 % interval of a mean by Student's t; null with fewer than 6 values, which are too few to tell.
 *
 * @see Student, The probable error of a mean, Biometrika 6, 1908.
 */
export function meanInterval(
  values: readonly number[],
): { readonly low: number; readonly high: number } | null {
  const { length } = values;
  if (length < FEWEST) return null;
  const center = mean(values);
  const squares = values.reduce((sum, value) => sum + (value - center) * (value - center), 0);
  const margin = studentQuantile(length - 1) * Math.sqrt(squares / (length - 1) / length);
  return { low: center - margin, high: center + margin };
}

// The 97.5 % quantile of the normal distribution, and what to add for 1 / degrees and its powers.
const TERMS = [
  1.959963984540054, 2.372271230298562, 2.8224986157396112, 2.555849679507722, 1.5895340533938225,
];

/**
 * The 97.5 % quantile of Student's t, at most 0.0003 too low from 5 degrees of freedom on.
 *
 * @see Abramowitz and Stegun, Handbook of Mathematical Functions, 1964, 26.7.5.
 */
export function studentQuantile(degrees: number): number {
  return TERMS.reduceRight((sum, term) => sum / degrees + term, 0);
}
