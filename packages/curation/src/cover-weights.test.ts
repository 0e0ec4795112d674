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
        const { lists, size } = graph;
        const listed = (place: number): number[] => [
          ...lists.places.slice(place * lists.neighbors, (place + 1) * lists.neighbors),
        ];
        const { starts, places, weights } = coverWeights(graph, baseline);
        expect(places.length).toBe(starts[size] as number);
        expect(weights.length).toBe(places.length);
        for (let place = 0; place < size; place++) {
          const row = [...places.slice(starts[place], starts[place + 1])];
          expect(row[0]).toBe(place);
          expect(weights[starts[place] as number]).toBe(1);
          const expected = graph.keys
            .map((_, other) => other)
            .filter((other) => other !== place)
            .filter((other) => listed(place).includes(other) || listed(other).includes(place))
            .filter((other) => weightOf(similarityOf(place, other), baseline) > 0);
          expect(row.slice(1).sort((a, b) => a - b)).toEqual(expected);
          for (const [at, other] of row.entries()) {
            if (at === 0) continue;
            const weight = weightOf(similarityOf(place, other), baseline);
            expect(weights[(starts[place] as number) + at]).toBeCloseTo(weight, 6);
          }
        }

        /** As the lists have it, in float32. */
        function similarityOf(place: number, other: number): number {
          const [row, at] = listed(place).includes(other)
            ? [place, listed(place).indexOf(other)]
            : [other, listed(other).indexOf(place)];
          return lists.similarities[row * lists.neighbors + at] as number;
        }
      }),
    );
  });
});
