import { median } from 'simple-statistics';

/** What became of a row: `worse` is slower or larger. */
export type Change = 'worse' | 'better' | 'unchanged' | 'undecided';

/** A row's pairs of processes, judged. */
export interface Judgement {
  readonly change: Change;
  /** Median over the pairs of the head's figure in times of the base's. */
  readonly ratio: number;
  /** Holds the median ratio of all pairs there could be, see {@link medianInterval}. */
  readonly interval: readonly [low: number, high: number];
  readonly pairs: number;
}

/** Pairs after which a row stays undecided. */
export const MOST_PAIRS = 15;
// Nearer to no change than to the factor: a slow-down may come out under its factor here.
const LINE = 0.4;
/** Votes that a change has to be ahead, and that its absence has. */
const LEAD = { worse: 4, better: 4, unchanged: 2 } as const;
const FEWEST_PAIRS = 3;
const COVERAGE = 0.95;

/**
 * Judges the ratios of the pairs so far. Each pair votes: for `worse` when its ratio is over the line
 * `factor ** 0.4`, for `better` when it is under the inverse, else for `unchanged`. A change has to be
 * four votes ahead, its absence two, of three pairs at least; and the interval has to say so too: that
 * of a change is all on one side of 1, that of its absence within the factor and its inverse.
 *
 * This is Wald's sequential test of a proportion: where a pair of an unchanged row is over the line
 * with probability p, the votes for `worse` are ever four ahead with at most `(p / (1 − p))⁴`. That is
 * 0.16 % where one pair in six is over the line and 0.015 % where one in ten is, whatever the noise
 * is like: little enough for all rows of a table together.
 *
 * @param ratios - one a pair, over 0.
 * @param isLast - whether there will be no more pairs: then the row is undecided rather than open.
 * @returns undefined while more pairs are needed.
 * @see Wald 1945, "Sequential tests of statistical hypotheses", section 5.
 */
export function judgeRatios(
  ratios: readonly number[],
  factor: number,
  isLast: boolean = ratios.length >= MOST_PAIRS,
): Judgement | undefined {
  if (ratios.length === 0) return undefined;
  const line = factor ** LINE;
  const votes = { worse: 0, better: 0, unchanged: 0 };
  for (const ratio of ratios) {
    if (ratio > line) votes.worse++;
    else if (ratio < 1 / line) votes.better++;
    else votes.unchanged++;
  }
  const ahead = (['worse', 'better', 'unchanged'] as const).find((change) => {
    const others = ratios.length - votes[change];
    return ratios.length >= FEWEST_PAIRS && votes[change] - others >= LEAD[change];
  });
  const interval = medianInterval(ratios);
  const isTold = ahead !== undefined && bearsOut(interval, ahead, factor);
  if (!isTold && !isLast) return undefined;
  return {
    change: isTold ? ahead : 'undecided',
    ratio: median([...ratios]),
    interval,
    pairs: ratios.length,
  };
}

function bearsOut(
  [low, high]: Judgement['interval'],
  change: 'worse' | 'better' | 'unchanged',
  factor: number,
): boolean {
  if (change === 'worse') return low > 1;
  if (change === 'better') return high < 1;
  return low > 1 / factor && high < factor;
}

/**
 * The interval between two of the values, as many from either end as leaves it at least 95 % likely
 * to hold the median of what they are drawn from, whatever its distribution: that of the sign test. Of
 * fewer than six values it reaches from the least to the greatest, which is 75 % for three, 87.5 for
 * four and 93.75 for five.
 *
 * @see Conover, Practical Nonparametric Statistics (1999), section 3.2.
 */
export function medianInterval(values: readonly number[]): readonly [low: number, high: number] {
  const sorted = values.toSorted((a, b) => a - b);
  const count = sorted.length;
  let fromEnd = 0;
  // Chance that no more than `fromEnd` of the values are below the median.
  let term = 0.5 ** count;
  let below = term;
  while (2 * fromEnd + 2 < count) {
    term *= (count - fromEnd) / (fromEnd + 1);
    if (2 * (below + term) > 1 - COVERAGE) break;
    below += term;
    fromEnd++;
  }
  return [sorted[fromEnd] as number, sorted[count - 1 - fromEnd] as number];
}
