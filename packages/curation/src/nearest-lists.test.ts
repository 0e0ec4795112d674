import { describe, expect, it } from 'bun:test';
import fc from 'fast-check';
import { findNearest, type SimilarityRows } from './nearest-lists.ts';

/** Rows of a matrix by place. */
function rowsOf(matrix: readonly (readonly number[])[]): SimilarityRows {
  return { size: matrix.length, fillRow: (place, target) => target.set(matrix[place] ?? []) };
}

const inOrder = (size: number): Int32Array => Int32Array.from({ length: size }, (_, at) => at);

const same = (size: number): SimilarityRows =>
  rowsOf(Array.from({ length: size }, () => new Array<number>(size).fill(0)));

describe('findNearest', () => {
  it('keeps what sorting all the others gives, of equals the smaller place', async () => {
    const value = fc.constantFrom(-1, -0.5, 0, 0.25, 0.5, 0.75, 1);
    const matrices = fc.integer({ min: 1, max: 12 }).chain((size) =>
      fc.array(fc.array(value, { minLength: size, maxLength: size }), {
        minLength: size,
        maxLength: size,
      }),
    );
    await fc.assert(
      fc.asyncProperty(matrices, fc.nat({ max: 11 }), async (matrix, kept) => {
        const neighbors = Math.min(kept, matrix.length - 1);
        const found = await findNearest(rowsOf(matrix), inOrder(matrix.length), neighbors);
        const expected = matrix.flatMap((row, place) =>
          row
            .map((similarity, other) => ({ similarity, other }))
            .filter(({ other }) => other !== place)
            .sort((a, b) => b.similarity - a.similarity || a.other - b.other)
            .slice(0, neighbors),
        );
        expect([...found.indices]).toEqual(expected.map(({ other }) => other));
        expect([...found.similarities]).toEqual(expected.map(({ similarity }) => similarity));
      }),
      { numRuns: 200 },
    );
  });

  it('tells of each 64 rows and of the end, and lets others work meanwhile', async () => {
    const seen: { done: number; total: number }[] = [];
    let others = 0;
    setTimeout(() => others++);
    await findNearest(same(129), inOrder(129), 1, undefined, (progress) => seen.push(progress));
    expect(seen.map(({ done }) => done)).toEqual([0, 64, 128, 129]);
    expect(seen.every(({ total }) => total === 129)).toBe(true);
    expect(others).toBe(1);
  });

  it('stops at the next pause, or at the end', async () => {
    const controller = new AbortController();
    const asked: number[] = [];
    const stopAt = (last: number): SimilarityRows => ({
      size: 100,
      fillRow(place, target) {
        asked.push(place);
        target.fill(0);
        if (place === last) controller.abort(new Error('enough'));
      },
    });
    await expect(findNearest(stopAt(3), inOrder(100), 1, controller.signal)).rejects.toThrow(
      'enough',
    );
    expect(asked.at(-1)).toBe(63);
    await expect(findNearest(stopAt(3), inOrder(100), 1, controller.signal)).rejects.toThrow(
      'enough',
    );
    expect(asked).toHaveLength(64);
  });

  it('stops when it is told to during the last rows', async () => {
    const controller = new AbortController();
    const rows: SimilarityRows = { size: 2, fillRow: () => controller.abort(new Error('enough')) };
    await expect(findNearest(rows, inOrder(2), 1, controller.signal)).rejects.toThrow('enough');
  });
});
