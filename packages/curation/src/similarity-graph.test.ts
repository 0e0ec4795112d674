import { describe, expect, it } from 'bun:test';
import fc from 'fast-check';
import { corpora, graphOf } from '../test/corpora.ts';
import { buildSimilarityGraph } from './similarity-graph.ts';

const two = [Float32Array.of(1, 0), Float32Array.of(0, 1)];

describe('buildSimilarityGraph', () => {
  it('keeps the nearest of every run, best first', async () => {
    await fc.assert(
      fc.asyncProperty(corpora(14, 2), fc.integer({ min: 1, max: 14 }), async (corpus, kept) => {
        const graph = await graphOf(corpus, kept);
        for (let place = 0; place < graph.size; place++) {
          const expected = Array.from({ length: graph.size }, (_, other) => other)
            .filter((other) => other !== place)
            .map((other) => graph.similarityAt(place, other))
            .sort((a, b) => b - a)
            .slice(0, kept);
          const row = place * graph.neighbors;
          for (let at = 0; at < graph.neighbors; at++) {
            const other = graph.lists.places[row + at] as number;
            expect(graph.lists.similarities[row + at]).toBeCloseTo(expected[at] as number, 6);
            expect(graph.similarityAt(place, other)).toBeCloseTo(expected[at] as number, 6);
          }
        }
      }),
    );
  });

  it('takes no run at all', async () => {
    expect(await buildSimilarityGraph([], { keys: [] })).toMatchObject({ size: 0, neighbors: 0 });
  });

  it('tells of its progress and stops when it is told to', async () => {
    const seen: number[] = [];
    await buildSimilarityGraph(two, {
      keys: ['a', 'b'],
      onProgress: ({ done, total }) => seen.push(done / total),
    });
    expect(seen.at(-1)).toBe(1);
    const reason = new Error('enough');
    const stopped = buildSimilarityGraph(two, {
      keys: ['a', 'b'],
      signal: AbortSignal.abort(reason),
    });
    await expect(stopped).rejects.toBe(reason);
  });

  it.each([
    [{ keys: ['a'] }, 'keys: expected 2 entries, one a run, received 1'],
    [{ keys: ['a', 1] }, 'keys[1]: expected a string, received number'],
    [{ keys: undefined }, 'keys: expected an array of strings, received undefined'],
    [
      { keys: ['a', 'b'], neighbors: 0 },
      'neighbors: expected an integer of at least 1, received 0',
    ],
  ])('refuses %j', async (options, message) => {
    const built = buildSimilarityGraph(two, options as Parameters<typeof buildSimilarityGraph>[1]);
    await expect(built).rejects.toThrow(message);
  });

  it('refuses vectors of two embedders, and what is no number', async () => {
    const keys = ['a', 'b'];
    const mixed = [Float32Array.of(1, 0), Float32Array.of(1)];
    await expect(buildSimilarityGraph(mixed, { keys })).rejects.toThrow(
      'vectors[1]: expected 2 numbers as the first vector has (one embedder for all runs), received 1',
    );
    const broken = [Float32Array.of(1, 0), Float32Array.of(Number.NaN, 0)];
    await expect(buildSimilarityGraph(broken, { keys })).rejects.toThrow(
      'vectors[1]: expected finite numbers',
    );
  });
});
