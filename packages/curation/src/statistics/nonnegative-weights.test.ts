import { describe, expect, it } from 'bun:test';
import { leastSquaresWeights, pairwiseWeights } from './nonnegative-weights.ts';

const runsOf = (...rows: readonly (readonly [number, ...number[]])[]) =>
  rows.map(([rating, ...values]) => ({ rating, values }));

function expectWeights(weights: readonly number[], ...expected: readonly number[]): void {
  expect(weights).toHaveLength(expected.length);
  for (const [at, weight] of weights.entries()) {
    expect(weight).toBeCloseTo(expected[at], 6);
  }
}

describe('leastSquaresWeights', () => {
  it('match hand-calculated values for uncorrelated features', () => {
    // Variances 1/4 and 1/400, each with a slope of 1 and a ridge of 0.001:
    // 0.25 / 0.251 and 0.0025 / 0.0035, scaled to sum to 1.
    const [first, second] = [0.25 / 0.251, 0.0025 / 0.0035];
    const runs = runsOf([0, 0, 0], [1, 1, 0], [0.1, 0, 0.1], [1.1, 1, 0.1]);
    const sum = first + second;
    expectWeights(leastSquaresWeights(runs), first / sum, second / sum);
  });

  it('gives equal weights to equal values', () => {
    expectWeights(leastSquaresWeights(runsOf([0, 0, 0], [1, 1, 1])), 0.5, 0.5);
    expectWeights(leastSquaresWeights(runsOf([1, 0.2, 0.2, 0], [2, 0.4, 0.4, 0])), 0.5, 0.5, 0);
  });

  it('gives no weight to values that contradict the ratings, and equal weights if all do', () => {
    expectWeights(leastSquaresWeights(runsOf([1, 1, 0], [2, 0, 1])), 0, 1);
    expectWeights(leastSquaresWeights(runsOf([1, 1, 1], [2, 0, 0])), 0.5, 0.5);
    expect(leastSquaresWeights([])).toEqual([]);
  });
});

describe('the weights', () => {
  it('agree with gradient descent', () => {
    // The differences between the better and the worse run of each pair; the second value
    // contradicts the ratings once.
    const runs = runsOf([3, 0.9, 0.3], [2, 0.2, 0.5], [1, 0.4, 0.1]);
    const pairs = [
      [0.7, -0.2],
      [0.5, 0.2],
      [-0.2, 0.4],
    ] as const;
    let [a, b] = [0, 0];
    for (let step = 0; step < 50_000; step++) {
      let [slopeA, slopeB] = [-0.003 * a, -0.003 * b];
      for (const [x, y] of pairs) {
        const share = 1 / (1 + Math.exp(a * x + b * y));
        slopeA += x * share;
        slopeB += y * share;
      }
      [a, b] = [Math.max(0, a + slopeA), Math.max(0, b + slopeB)];
    }
    const [first] = pairwiseWeights(runs);
    expect(first).toBeCloseTo(a / (a + b), 6);
    expect(first).toBeGreaterThan(0.4);
    expect(first).toBeLessThan(0.6);
  });

  it.each([leastSquaresWeights, pairwiseWeights])(
    'are empty without runs and equal for a single run: %p',
    (weightsOf) => {
      expect(weightsOf([])).toEqual([]);
      expect(weightsOf(runsOf([1, 0.2, 0.4]))).toEqual([0.5, 0.5]);
    },
  );
});

describe('pairwiseWeights', () => {
  it('uses the differences between the runs of a pair, as calculated by hand', () => {
    // With one pair, the slope follows the difference for any ridge: 0.8 to 0.4.
    const [first, second, third] = pairwiseWeights(runsOf([5, 0.9, 0.5, 0.3], [1, 0.1, 0.1, 0.3]));
    expect(first).toBeCloseTo(2 / 3, 3);
    expect(second).toBeCloseTo(1 / 3, 3);
    expect(third).toBe(0);
    expectWeights(pairwiseWeights(runsOf([1, 0.9, 0.1], [5, 0.1, 0.3])), 0, 1);
  });

  it('ignores pairs with equal ratings', () => {
    expectWeights(pairwiseWeights(runsOf([1, 0.9, 0.1], [1, 0.1, 0.3])), 0.5, 0.5);
    // The middle two have equal ratings, so their difference in the first value does not count.
    const runs = runsOf([3, 0.5, 1], [2, 0.9, 0.5], [2, 0.1, 0.5], [1, 0.5, 0]);
    expectWeights(pairwiseWeights(runs), 0, 1);
  });

  it('uses all pairs up to 20,000, and evenly spaced ones beyond that', () => {
    // 200 runs have 200 · 199 / 2 = 19,900 pairs and 201 runs have 20,100; each pair reads the
    // values of both runs.
    const pairsOf = (count: number): number => {
      let reads = 0;
      const runs = Array.from({ length: count }, (_, rating) => ({
        rating,
        get values() {
          reads++;
          return [0];
        },
      }));
      pairwiseWeights(runs);
      return (reads - 1) / 2;
    };
    expect(pairsOf(200)).toBe(19_900);
    expect(pairsOf(201)).toBe(10_050);
    // 860,016 pairs are 43 times 20,000 and 16: every 44th of them.
    expect(pairsOf(1312)).toBe(19_546);
  });

  it('is the most likely result on the same ray of lengths', () => {
    const runs = runsOf([4, 0.9, 0.2], [3, 0.4, 0.8], [2, 0.6, 0.3], [1, 0.2, 0.1]);
    const weights = pairwiseWeights(runs);
    const best = lossOf(runs, weights);
    for (const change of [-0.02, 0.02]) {
      const [first, second] = weights as [number, number];
      expect(lossOf(runs, [first + change, second - change])).toBeGreaterThan(best);
    }
  });
});

/**
 * The least penalised logistic loss over all lengths of the weights, with a ridge of 0.001 per
 * pair.
 */
function lossOf(
  runs: readonly { rating: number; values: readonly number[] }[],
  direction: readonly number[],
): number {
  const rows = runs.flatMap((better) =>
    runs
      .filter((worse) => worse.rating < better.rating)
      .map((worse) => better.values.map((value, at) => value - worse.values[at])),
  );
  const loss = (length: number): number => {
    const weights = direction.map((weight) => weight * length);
    const penalty = 0.0005 * rows.length * weights.reduce((sum, one) => sum + one * one, 0);
    return rows.reduce((sum, row) => {
      const product = row.reduce((total, one, at) => total + one * weights[at], 0);
      return sum + Math.log1p(Math.exp(-product));
    }, penalty);
  };
  let least = Number.POSITIVE_INFINITY;
  for (let length = 0; length < 60; length += 0.05) least = Math.min(least, loss(length));
  return least;
}
