import { describe, expect, it } from 'bun:test';
import { seededIntegers } from './baseline.ts';
import { createDenseSimilarity, TILE_PLACES } from './dense-similarity.ts';
import { createSparseRows, type SparseVectors } from './sparse-rows.ts';

const next = seededIntegers(11);
const vectorOf = (length: number): Float32Array =>
  Float32Array.from({ length }, () => next(2_001) / 1_000 - 1);

function cosine(a: Float32Array, b: Float32Array): number {
  const dot = (x: Float32Array, y: Float32Array): number =>
    x.reduce((sum, value, index) => sum + value * (y[index] as number), 0);
  const norms = Math.sqrt(dot(a, a) * dot(b, b));
  return norms === 0 ? 0 : dot(a, b) / norms;
}

describe('createDenseSimilarity', () => {
  it.each([1, 2, 3, 4, 5, 6, 7, 8, 9, 12])('of %p dimensions, by the definition', (length) => {
    const vectors = Array.from({ length: 5 }, () => vectorOf(length));
    vectors.push(new Float32Array(length));
    const order = Uint32Array.of(5, 3, 1, 0, 2, 4);
    const { similarityAt } = createDenseSimilarity(vectors, order);
    for (const [place, run] of order.entries()) {
      for (const [other, otherRun] of order.entries()) {
        const expected =
          place === other
            ? 1
            : cosine(vectors[run] as Float32Array, vectors[otherRun] as Float32Array);
        expect(similarityAt(place, other)).toBeCloseTo(expected, 12);
      }
    }
  });

  it('stays within -1 and 1 where rounding would leave them', () => {
    const all = Array.from({ length: 400 }, () => vectorOf(6));
    const beyond = all.filter((vector) => {
      const norm = Math.sqrt(vector.reduce((sum, value) => sum + value * value, 0));
      const squares = vector.reduce((sum, value) => sum + value * value, 0);
      return squares * (1 / norm) * (1 / norm) > 1;
    });
    expect(beyond.length).toBeGreaterThan(0);
    for (const vector of beyond) {
      const turned = vector.map((value) => -value);
      const { similarityAt } = createDenseSimilarity(
        [vector, vector.slice(), turned],
        Uint32Array.of(0, 1, 2),
      );
      expect(similarityAt(0, 1)).toBeLessThanOrEqual(1);
      expect(similarityAt(0, 2)).toBeGreaterThanOrEqual(-1);
    }
  });

  it('fills a tile with the similarities of each of its first half to each of its second', () => {
    const vectors = Array.from({ length: TILE_PLACES + 7 }, () => vectorOf(5));
    const order = Uint32Array.from(vectors, (_, run) => vectors.length - 1 - run);
    const { fillTile, similarityAt } = createDenseSimilarity(vectors, order);
    for (const shift of [0, 7]) {
      const tile = Uint32Array.from({ length: TILE_PLACES }, (_, at) => at + shift);
      expectTile(tile, fillTile, similarityAt);
    }
  });

  it('refuses what is no Float32Array', () => {
    const lists = [[1, 2]] as unknown as Float32Array[];
    expect(() => createDenseSimilarity(lists, Uint32Array.of(0))).toThrow(
      'vectors[0]: expected a Float32Array, received object',
    );
  });
});

describe('createSparseRows', () => {
  const sparse = (rows: SparseVectors['rows'], dimensions = 6): SparseVectors => ({
    kind: 'sparse',
    id: 'mine',
    dimensions,
    rows,
  });

  it('gives the similarities that dense vectors of the same numbers have', () => {
    const vectors = Array.from({ length: TILE_PLACES }, () => {
      const values = vectorOf(6).map((value) => (next(2) === 0 ? 0 : value));
      const norm = Math.sqrt(cosineNorm(values));
      return values.map((value) => (norm === 0 ? 0 : value / norm));
    });
    const rows = vectors.map((vector) => {
      const indices = Uint32Array.from(vector.keys()).filter((at) => vector[at] !== 0);
      return { indices, values: Float64Array.from(indices, (at) => vector[at] as number) };
    });
    const order = Uint32Array.from(vectors, (_, run) => vectors.length - 1 - run);
    const dense = createDenseSimilarity(vectors, order);
    const { fillRow, fillTile, similarityAt } = createSparseRows(sparse(rows), order);
    const row = new Float64Array(vectors.length);
    for (let place = 0; place < vectors.length; place++) {
      fillRow(place, row);
      for (let other = 0; other < vectors.length; other++) {
        expect(row[other]).toBeCloseTo(dense.similarityAt(place, other), 6);
        expect(similarityAt(place, other)).toBe(row[other] as number);
      }
    }
    expectTile(Uint32Array.from(vectors.keys()), fillTile, similarityAt);
  });

  it('stays within -1 and 1, whatever the length of the rows', () => {
    const rows = [2, 2, -2].map((value) => ({
      indices: Uint32Array.of(4),
      values: Float64Array.of(value),
    }));
    const { similarityAt, fillRow } = createSparseRows(sparse(rows), Uint32Array.of(0, 1, 2));
    expect([similarityAt(0, 1), similarityAt(0, 2)]).toEqual([1, -1]);
    const row = new Float64Array(3);
    fillRow(0, row);
    expect([...row]).toEqual([1, 1, -1]);
  });

  it('refuses a row without indices', () => {
    const rows = [{}, undefined] as unknown as SparseVectors['rows'];
    expect(() => createSparseRows(sparse(rows), Uint32Array.of(0))).toThrow(
      'vectors.rows[0]: expected as many values as indices, received undefined',
    );
  });
});

function cosineNorm(values: Float32Array): number {
  return values.reduce((sum, value) => sum + value * value, 0);
}

function expectTile(
  tile: Uint32Array,
  fillTile: (places: Uint32Array, target: Float64Array) => void,
  similarityAt: (place: number, other: number) => number,
): void {
  const half = TILE_PLACES / 2;
  const target = new Float64Array(half * half);
  fillTile(tile, target);
  for (let row = 0; row < half; row++) {
    for (let column = 0; column < half; column++) {
      const expected = similarityAt(tile[row] as number, tile[half + column] as number);
      expect(target[row * half + column]).toBeCloseTo(expected, 12);
    }
  }
}
