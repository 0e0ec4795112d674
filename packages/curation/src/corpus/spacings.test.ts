import { describe, expect, it } from 'bun:test';
import type { SimilarityGraph } from '@kp/vector-cache';
import { estimateNearestUnrelated } from './spacings.ts';

/** A graph with only the similarities, one row per run; nothing else is read. */
function graphOfRows(rows: readonly (readonly number[])[], neighbors: number): SimilarityGraph {
  const similarities = Float64Array.from(rows.flatMap((row) => row.slice(0, neighbors)));
  const order = Int32Array.from(rows.keys());
  return { size: rows.length, neighbors, order, similarities } as object as SimilarityGraph;
}

/**
 * Arbitrary values at ranks 1 to 8, then an exponential tail with the given mean from the ninth on.
 */
function tail(ninth: number, mean: number, length: number): number[] {
  const row = new Array<number>(8).fill(0.99);
  for (let rank = 9, value = ninth; rank <= length; value -= mean / rank, rank++) row.push(value);
  return row;
}

/** Returns the x at which `(1 − e^{−x/θ})⁸` equals the share. */
const quantile = (mean: number, share: number): number => -mean * Math.log(1 - share ** (1 / 8));

describe('estimateNearestUnrelated', () => {
  it.each([11, 20, 32])(
    'is the quantile in closed form if all runs are equal: %p neighbours',
    (kept) => {
      const rows = Array.from({ length: 40 }, () => tail(0.3, 0.02, kept));
      const estimate = estimateNearestUnrelated(graphOfRows(rows, kept), 0.1);
      expect(estimate).toBeCloseTo(0.3 + quantile(0.02, 0.9), 9);
    },
  );

  it('does not read beyond rank 32', () => {
    const row = [...tail(0.3, 0.02, 32), ...new Array<number>(8).fill(-1)];
    const estimate = estimateNearestUnrelated(graphOfRows(new Array(50).fill(row), 40), 0.25);
    expect(estimate).toBeCloseTo(0.3 + quantile(0.02, 0.75), 9);
  });

  it('is the quantile of the mean over different runs', () => {
    const rows = Array.from({ length: 12 }, (_, run) => tail(run < 6 ? 0.2 : 0.5, 0.01, 11));
    const estimate = estimateNearestUnrelated(graphOfRows(rows, 11), 0.3);
    // All of the lower half are below 0.5 except a share of e^-30, so 0.4 of the upper half must
    // be.
    expect(estimate).toBeCloseTo(0.5 + quantile(0.01, 0.4), 6);
  });

  it('is the common value if all similarities are equal', () => {
    const rows = Array.from({ length: 12 }, () => new Array<number>(11).fill(0.25));
    expect(estimateNearestUnrelated(graphOfRows(rows, 11), 0.1)).toBeCloseTo(0.25, 12);
  });

  it('requires 12 runs and 11 neighbours of each', () => {
    const rows = Array.from({ length: 12 }, () => tail(0.3, 0.02, 11));
    expect(() => estimateNearestUnrelated(graphOfRows(rows, 11), 0.1)).not.toThrow();
    expect(() => estimateNearestUnrelated(graphOfRows(rows.slice(1), 11), 0.1)).toThrow(
      'graph: expected at least 12 runs for an estimate without tasks, received 11',
    );
    expect(() => estimateNearestUnrelated(graphOfRows(rows, 10), 0.1)).toThrow(
      'graph: expected at least 11 neighbours of each run for an estimate without tasks, received 10',
    );
  });
});
