import { describe, expect, it } from 'bun:test';
import { seededIntegers } from '@kp/foundation';
import { graphOf } from '../../test/corpora.ts';
import { traceOf } from '../../test/traces.ts';
import { corpusVectors } from '../corpus/corpus-vectors.ts';
import { buildSimilarityGraph } from '../corpus/similarity-graph.ts';
import { medianOfRows, medianSimilarity } from './baseline.ts';

describe('medianSimilarity', () => {
  it('is the mean of the middle two for an even number', async () => {
    // The cosines to the first run are 0.8, 0.6 and 0; those among the others are 0.96, 0.6 and
    // 0.8.
    const vectors = [
      [1, 0],
      [0.8, 0.6],
      [0.6, 0.8],
      [0, 1],
    ].map((v) => Float32Array.from(v));
    const graph = await graphOf({ vectors, keys: ['a', 'b', 'c', 'd'] });
    expect(medianSimilarity(graph)).toBeCloseTo(0.7, 6);
    expect(medianSimilarity(await graphOf({ vectors, keys: ['a', 'b', 'c', 'd'] }, 1))).toBeCloseTo(
      0.7,
      6,
    );
  });

  it('of more than 2,000 runs is within 0.002 of the median of all pairs', async () => {
    const next = seededIntegers(4);
    const vectors = Array.from({ length: 2_100 }, (_, run) =>
      Float32Array.from(
        { length: 9 },
        (_, at) => next(1000) / 1000 - 0.3 + (at === run % 3 ? 1 : 0),
      ),
    );
    const graph = await graphOf({ vectors, keys: vectors.map((_, run) => `k${run}`) }, 1);
    const all: number[] = [];
    for (let a = 0; a < graph.size; a++) {
      for (let b = a + 1; b < graph.size; b++) all.push(graph.similarity(a, b));
    }
    const exact = Float64Array.from(all).sort()[all.length >> 1];
    const median = medianSimilarity(graph);
    expect(Math.abs(median - exact)).toBeLessThan(0.002);
    // The pairs are the same on every platform and in every release; otherwise baselines could not
    // be compared.
    expect(median).toBeCloseTo(0.451791066, 7);
  });

  it('is 0 for one run', async () => {
    expect(medianSimilarity(await graphOf({ vectors: [Float32Array.of(1)], keys: ['a'] }))).toBe(0);
  });
});

describe('medianOfRows', () => {
  const row = (...entries: readonly [number, number][]) => ({
    indices: Uint32Array.from(entries, ([index]) => index),
    values: Float64Array.from(entries, ([, value]) => value),
  });

  it('is the mean of the middle two for an even number of pairs', () => {
    const rows = [
      [1, 0],
      [0.8, 0.6],
      [0.6, 0.8],
      [0, 1],
    ].map(([x = 0, y = 0]) => row([3, x], [7, y]));
    expect(medianOfRows(rows)).toBeCloseTo(0.7, 6);
  });

  it('is 0 for fewer than two runs and for runs without words', () => {
    expect([medianOfRows([]), medianOfRows([row([0, 1])]), medianOfRows([row(), row()])]).toEqual([
      0, 0, 0,
    ]);
  });

  it('equals the median of a graph of all pairs', async () => {
    const next = seededIntegers(9);
    const words = () => Array.from({ length: 6 }, () => `word${next(20)}`).join(' ');
    const traces = Array.from({ length: 30 }, () => traceOf(words()));
    const vectors = corpusVectors(traces);
    const graph = await buildSimilarityGraph(vectors, { keys: traces.map((_, run) => `${run}`) });
    expect(medianOfRows(vectors.rows)).toBe(medianSimilarity(graph));
  });
});
