import { describe, expect, it } from 'bun:test';
import { layOutRuns, type MapNeighbors } from './map-layout.ts';

/** Runs around so many centres, far apart. */
function vectorsAround(centres: number, count: number): Float32Array[] {
  return Array.from({ length: count }, (_, run) =>
    Float32Array.from({ length: 16 }, (_, i) =>
      i === run % centres ? 1 : 0.02 * Math.sin(run * 7 + i * 13),
    ),
  );
}

/** The nearest neighbours by comparing all. */
function neighborsOf(vectors: readonly Float32Array[], count: number): MapNeighbors {
  const lists = vectors.map((vector, run) =>
    vectors
      .map((other, place) => ({ place, cosine: cosine(vector, other) }))
      .filter(({ place }) => place !== run)
      .sort((a, b) => b.cosine - a.cosine)
      .slice(0, count),
  );
  return {
    count,
    indices: lists.flatMap((list) => list.map(({ place }) => place)),
    similarities: lists.flatMap((list) => list.map((each) => each.cosine)),
  };
}

function cosine(a: Float32Array, b: Float32Array): number {
  const dot = (x: Float32Array, y: Float32Array): number =>
    x.reduce((sum, value, i) => sum + value * (y[i] ?? 0), 0);
  return dot(a, b) / Math.sqrt(dot(a, a) * dot(b, b));
}

function distance(x: readonly number[], y: readonly number[], a: number, b: number): number {
  return Math.hypot((x[a] ?? 0) - (x[b] ?? 0), (y[a] ?? 0) - (y[b] ?? 0));
}

describe('layOutRuns', () => {
  it.each(['pca', 'umap'] as const)('by %s puts alike runs near, others far', async (method) => {
    const vectors = vectorsAround(3, 60);
    const neighbors = method === 'umap' ? neighborsOf(vectors, 10) : undefined;
    const map = await layOutRuns(vectors, { neighbors });
    expect(map.method).toBe(method);
    const nearestOf = (run: number): number =>
      vectors
        .map((_, other) => other)
        .filter((other) => other !== run)
        .sort((a, b) => distance(map.x, map.y, run, a) - distance(map.x, map.y, run, b))[0] ?? -1;
    const astray = vectors.filter((_, run) => nearestOf(run) % 3 !== run % 3);
    expect(astray).toEqual([]);
    expect(Math.min(...map.x, ...map.y)).toBe(0);
    expect(Math.max(...map.x, ...map.y)).toBe(1);
    expect(await layOutRuns(vectors, { neighbors })).toEqual(map);
  });

  it('gives sparse vectors the plane of the same dense ones', async () => {
    const dense = vectorsAround(3, 30);
    const sparse = dense.map((vector) => {
      const indices = [...vector.keys()].filter((i) => vector[i] !== 0);
      return { indices, values: indices.map((i) => vector[i] as number) };
    });
    const [a, b] = [await layOutRuns(dense), await layOutRuns(sparse)];
    for (const run of dense.keys()) expect(b.x[run]).toBeCloseTo(a.x[run] as number, 3);
  });

  it('names groups by the words that tell them apart', async () => {
    const vectors = vectorsAround(2, 20);
    const texts = vectors.map((_, run) =>
      run % 2 === 0 ? 'please cancel the flight' : 'please repair the parser',
    );
    const { clusters } = await layOutRuns(vectors, { texts });
    expect(clusters.map(({ words }) => words?.slice(0, 2))).toEqual([
      ['cancel', 'flight'],
      ['parser', 'repair'],
    ]);
  });

  it.each([
    ['no runs', []],
    ['one run', [Float32Array.of(1, 0)]],
    ['copies', [Float32Array.of(1, 0), Float32Array.of(1, 0)]],
    ['zeros', [Float32Array.of(0, 0), Float32Array.of(0, 0), Float32Array.of(0, 0)]],
  ])('stays finite on %s', async (_, vectors) => {
    const { x, y } = await layOutRuns(vectors);
    expect(x).toHaveLength(vectors.length);
    expect([...x, ...y].every((value) => value >= 0 && value <= 1)).toBe(true);
  });
});
