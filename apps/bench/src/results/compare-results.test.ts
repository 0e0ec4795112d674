import { describe, expect, it } from 'bun:test';
import fc from 'fast-check';
import { createRandom } from '../inputs/random.ts';
import { compareResults } from './compare-results.ts';
import type { Results } from './results-file.ts';

/** Runs whose times are about `nanoseconds`, in processes that differ by up to a tenth. */
function resultsOf(nanoseconds: number, runs: number, seed: number, slowness = 1): Results {
  const random = createRandom(seed);
  return {
    version: 1,
    machine: 'none',
    figures: [],
    runs: Array.from({ length: runs }, () => {
      const process = 0.95 + random() / 10;
      const quantiles = Array.from(
        { length: 101 },
        (_, index) => nanoseconds * process * slowness * (0.9 + (index / 101) * 0.2),
      );
      return {
        startedAt: '2026-01-15T10:00:00Z',
        benchmarks: [
          { group: 'parts', name: 'rules', size: 5, reference: 1000 * slowness, quantiles },
        ],
      };
    }),
  };
}

describe('compareResults', () => {
  it('finds a part that got half as slow again, with its factor in the interval', () => {
    const [found] = compareResults(resultsOf(100, 5, 1), resultsOf(150, 5, 2));
    expect(found).toMatchObject({ key: 'parts: rules, 5', change: 'slower' });
    expect(found?.factor).toBeCloseTo(1.5, 0);
    const [low, high] = found?.interval ?? [0, 0];
    expect(low).toBeLessThan(1.5);
    expect(high).toBeGreaterThan(1.5);
  });

  it('finds no difference between runs of the same, whatever the noise', () => {
    fc.assert(
      fc.property(fc.integer(), fc.integer(), (a, b) => {
        const [found] = compareResults(resultsOf(100, 5, a), resultsOf(100, 5, b), {
          threshold: 0.1,
        });
        expect(found?.change).toBe('no difference');
      }),
      { numRuns: 8 },
    );
  });

  it('does not mind a machine that is twice as slow, reference loop and all', () => {
    const [found] = compareResults(resultsOf(100, 5, 1), resultsOf(100, 5, 1, 2));
    expect(found?.factor).toBeCloseTo(1, 12);
    expect(found?.after).toBeCloseTo((found?.before ?? 0) * 2, 9);
  });

  it('gives no verdict from fewer than five runs', () => {
    const [found] = compareResults(resultsOf(100, 5, 1), resultsOf(300, 4, 1));
    expect(found?.change).toBe('too few runs');
  });

  it('leaves out what only one of them holds', () => {
    const after = resultsOf(100, 3, 1);
    const renamed = JSON.parse(JSON.stringify(after).replaceAll('rules', 'laws'));
    expect(compareResults(after, renamed)).toEqual([]);
  });
});
