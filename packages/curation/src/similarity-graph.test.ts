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

  it('keeps all neighbours of up to 2,000 runs and 32 of more, when nothing is said', async () => {
    const sparse = (size: number) => {
      const row = { indices: Uint32Array.of(), values: Float64Array.of() };
      const rows = new Array<typeof row>(size).fill(row);
      return { kind: 'sparse', id: 'mine', dimensions: 1, rows } as const;
    };
    const kept = async (size: number, neighbors?: number): Promise<number> => {
      const keys = Array.from({ length: size }, (_, run) => `k${run}`);
      return (await buildSimilarityGraph(sparse(size), { keys, neighbors })).neighbors;
    };
    expect(await kept(2_000)).toBe(1_999);
    expect(await kept(2_001)).toBe(32);
    expect(await kept(2_001, 3)).toBe(3);
    expect([await kept(0), await kept(1), await kept(2), await kept(5, 9)]).toEqual([0, 0, 1, 4]);
  });

  it('tells of progress with sparse vectors too, and stops', async () => {
    const row = { indices: Uint32Array.of(0), values: Float64Array.of(1) };
    const vectors = { kind: 'sparse', id: 'mine', dimensions: 1, rows: [row, row] } as const;
    const keys = ['a', 'b'];
    const seen: number[] = [];
    const graph = await buildSimilarityGraph(vectors, {
      keys,
      onProgress: ({ done }) => seen.push(done),
    });
    expect(seen).toEqual([0, 2]);
    expect(graph).toMatchObject({ size: 2, neighbors: 1, keys, computation: undefined });
    const signal = AbortSignal.abort(new Error('enough'));
    await expect(buildSimilarityGraph(vectors, { keys, signal })).rejects.toThrow('enough');
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
    [{ keys: [null, 'b'] }, 'keys[0]: expected a string, received object'],
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
