import { describe, expect, it } from 'bun:test';
import fc from 'fast-check';
import { corpora, graphOf } from '../../test/corpora.ts';
import { buildSimilarityGraph } from './similarity-graph.ts';

const two = [Float32Array.of(1, 0), Float32Array.of(0, 1)];

describe('buildSimilarityGraph', () => {
  it('keeps the nearest runs of every run, most similar first', async () => {
    await fc.assert(
      fc.asyncProperty(corpora(14, 2), fc.integer({ min: 1, max: 14 }), async (corpus, kept) => {
        const graph = await graphOf(corpus, kept);
        for (const run of graph.order) {
          const expected = corpus.keys
            .map((key, other) => ({ key, other, similarity: graph.similarity(run, other) }))
            .filter(({ other }) => other !== run)
            .sort((a, b) => b.similarity - a.similarity || (a.key < b.key ? -1 : 1))
            .slice(0, kept);
          const row = run * graph.neighbors;
          const ends = [row, row + graph.neighbors] as const;
          expect([...graph.indices.slice(...ends)]).toEqual(expected.map(({ other }) => other));
          expect([...graph.similarities.slice(...ends)]).toEqual(
            expected.map(({ similarity }) => similarity),
          );
        }
      }),
    );
  });

  it('builds the same graph from sparse and dense vectors', async () => {
    await fc.assert(
      fc.asyncProperty(
        corpora(14, 2),
        fc.integer({ min: 1, max: 14 }),
        async (corpus, neighbors) => {
          const { keys } = corpus;
          const rows = corpus.vectors.map((vector) => {
            const norm = Math.hypot(...vector);
            const indices = Uint32Array.from(vector.keys()).filter((at) => vector[at] !== 0);
            return { indices, values: Float64Array.from(indices, (at) => vector[at] / norm) };
          });
          const vectors = { kind: 'sparse', id: 'mine', dimensions: 5, rows } as const;
          const dense = await graphOf(corpus, neighbors);
          const sparse = await buildSimilarityGraph(vectors, { keys, neighbors });
          expect([...sparse.order]).toEqual([...dense.order]);
          expect(sparse.indices.length).toBe(dense.indices.length);
          for (const [at, similarity] of sparse.similarities.entries()) {
            const run = Math.floor(at / sparse.neighbors);
            expect(similarity).toBeCloseTo(dense.similarities[at], 6);
            expect(sparse.similarity(run, sparse.indices[at])).toBe(similarity);
          }
          expect(sparse.similarity(0, 0)).toBe(1);
        },
      ),
    );
  });

  it('keeps similarities within -1 and 1 for rows of any length', async () => {
    const rows = [2, 2, -2].map((value) => ({
      indices: Uint32Array.of(0),
      values: Float64Array.of(value),
    }));
    const vectors = { kind: 'sparse', id: 'mine', dimensions: 1, rows } as const;
    const { similarities } = await buildSimilarityGraph(vectors, { keys: ['a', 'b', 'c'] });
    expect([...similarities]).toEqual([1, -1, 1, -1, -1, -1]);
  });

  it('accepts an empty corpus', async () => {
    expect(await buildSimilarityGraph([], { keys: [] })).toMatchObject({ size: 0, neighbors: 0 });
  });

  it('keeps all neighbours up to 2,000 runs and 32 beyond that by default', async () => {
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

  it('reports progress with sparse vectors, and stops when aborted', async () => {
    const row = { indices: Uint32Array.of(0), values: Float64Array.of(1) };
    const vectors = { kind: 'sparse', id: 'mine', dimensions: 1, rows: [row, row] } as const;
    const keys = ['a', 'b'];
    const seen: number[] = [];
    const graph = await buildSimilarityGraph(vectors, {
      keys,
      onProgress: ({ done }) => seen.push(done),
    });
    expect(seen).toEqual([2]);
    expect(graph).toMatchObject({ size: 2, neighbors: 1, keys, computation: { threads: 1 } });
    const signal = AbortSignal.abort(new Error('enough'));
    await expect(buildSimilarityGraph(vectors, { keys, signal })).rejects.toThrow('enough');
  });

  it('reports progress and stops when aborted', async () => {
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
    [{ keys: ['a'] }, 'keys: expected 2 entries, one per run, received 1'],
    [{ keys: ['a', 1] }, 'keys[1]: expected a string, received 1'],
    [{ keys: [null, 'b'] }, 'keys[0]: expected a string, received null'],
    [{ keys: undefined }, 'keys: expected an array, received nothing'],
    [
      { keys: ['a', 'b'], neighbors: 0 },
      'neighbors: expected an integer of at least 1, received 0',
    ],
  ])('rejects %j', async (options, message) => {
    const built = buildSimilarityGraph(two, options as Parameters<typeof buildSimilarityGraph>[1]);
    await expect(built).rejects.toThrow(message);
  });

  it('rejects vectors of two embedders, and non-numbers', async () => {
    const keys = ['a', 'b'];
    const mixed = [Float32Array.of(1, 0), Float32Array.of(1)];
    await expect(buildSimilarityGraph(mixed, { keys })).rejects.toThrow(
      'vectors[1]: expected 2 dimensions, received 1',
    );
    const broken = [Float32Array.of(1, 0), Float32Array.of(Number.NaN, 0)];
    await expect(buildSimilarityGraph(broken, { keys })).rejects.toThrow(
      'vectors[1][0]: expected a finite number, received NaN',
    );
  });
});
