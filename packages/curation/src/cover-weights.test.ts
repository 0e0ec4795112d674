import { describe, expect, it } from 'bun:test';
import fc from 'fast-check';
import { corpora, graphOf } from '../test/corpora.ts';
import { coverWeights, weightOf } from './cover-weights.ts';

describe('weightOf', () => {
  it.each([
    // similarity, baseline, weight
    [0.95, 0.9, 0.5],
    [0, -1, 0.5],
    [-1, -1, 0],
    [1, -1, 1],
    [0.5, 0.5, 0],
    [-0.5, 0, 0],
    [1.25, 0, 1],
    [1, 1, 1],
    [0.999_999_5, 1, 1],
    [1 - 1e-6, 1, 0],
    [0.999_99, 1, 0],
    [0.5, 1, 0],
    [1, 0.999_999_5, 1],
    [0.999_99, 0.999_98, 0.5],
  ])('of %p over %p is %p', (similarity, baseline, weight) => {
    expect(weightOf(similarity, baseline)).toBeCloseTo(weight, 6);
  });
});

describe('coverWeights', () => {
  it('has each pair once from either side of which one is a neighbour of the other', async () => {
    const baselines = fc.constantFrom(-1, 0, 0.5, 1);
    const kept = fc.integer({ min: 1, max: 9 });
    await fc.assert(
      fc.asyncProperty(corpora(9), kept, baselines, async (corpus, neighbors, baseline) => {
        const graph = await graphOf(corpus, neighbors);
        const runs = [...graph.order];
        const isNeighbor = (run: number, of: number): boolean =>
          graph.indices.slice(of * graph.neighbors, (of + 1) * graph.neighbors).includes(run);
        const { starts, places, weights } = coverWeights(graph, baseline);
        expect([places.length, weights.length]).toEqual([starts[graph.size], starts[graph.size]]);
        for (const [place, run] of runs.entries()) {
          const row = Array.from(places.slice(starts[place], starts[place + 1]), (other, at) => ({
            other,
            weight: weights[starts[place] + at],
          }));
          const expected = runs
            .map((other, at) => ({
              other: at,
              weight: weightOf(graph.similarity(run, other), baseline),
            }))
            .filter(({ weight }, at) => {
              const other = runs[at];
              return (
                other === run || (weight > 0 && (isNeighbor(other, run) || isNeighbor(run, other)))
              );
            })
            .map((each) => (each.other === place ? { ...each, weight: 1 } : each));
          expect(row.sort((a, b) => a.other - b.other)).toEqual(expected);
        }
      }),
    );
  });
});
