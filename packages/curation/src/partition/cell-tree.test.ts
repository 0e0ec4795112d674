import { describe, expect, it } from 'bun:test';
import { seededIntegers } from '@kp/foundation';
import { buildCellTree } from './cell-tree.ts';

const row = (...words: readonly number[]) => ({
  indices: Uint32Array.from(words).sort(),
  values: Float64Array.from(words, () => 1 / Math.sqrt(words.length)),
});

/** Rows of groups that share no word; each row has the words of its group and one unique word. */
function rowsOfGroups(groups: number, perGroup: number) {
  return Array.from({ length: groups * perGroup }, (_, index) => {
    const group = index % groups;
    return row(10 * group + 1, 10 * group + 2, 10 * group + 3, 100_000 + index);
  });
}

describe('buildCellTree', () => {
  it('keeps groups of like rows together', () => {
    const rows = rowsOfGroups(8, 30);
    const { cellOf } = buildCellTree(rows, 4, 1);
    const cellsOfGroup = Array.from({ length: 8 }, (_, group) => {
      return new Set(rows.filter((_, index) => index % 8 === group).map(cellOf)).size;
    });
    expect(cellsOfGroup).toEqual(Array(8).fill(1));
  });

  it('gives cells of similar size for rows without groups', () => {
    const next = seededIntegers(3);
    const rows = Array.from({ length: 2000 }, () =>
      row(...new Set([next(500), next(500), next(500)])),
    );
    const { cellOf } = buildCellTree(rows, 5, 1);
    const sizes = Array(5).fill(0);
    for (const each of rows) sizes[cellOf(each)]++;
    expect(Math.min(...sizes)).toBeGreaterThan(200);
    expect(Math.max(...sizes)).toBeLessThan(800);
  });

  it('puts equal rows into one cell, also if all are equal or empty', () => {
    const { cellOf } = buildCellTree([row(1), row(1), row(1), row()], 3, 1);
    expect(new Set([row(1), row(1)].map(cellOf)).size).toBe(1);
    expect(cellOf(row())).toBeLessThan(3);
    expect(buildCellTree([row(), row()], 2, 1).cellOf(row())).toBeLessThan(2);
  });

  it('is the same for the same sample and seed', () => {
    const rows = rowsOfGroups(6, 20);
    const [a, b] = [buildCellTree(rows, 7, 5), buildCellTree(rows, 7, 5)];
    expect(rows.map(a.cellOf)).toEqual(rows.map(b.cellOf));
  });

  it('refuses a sample with fewer rows than cells', () => {
    const build = () => buildCellTree([row(1)], 2, 1);
    expect(build).toThrow(expect.objectContaining({ code: 'CURATION_INPUT_INVALID' }));
    const none = () => buildCellTree([], 0, 1);
    expect(none).toThrow(expect.objectContaining({ code: 'CURATION_INPUT_INVALID' }));
  });
});
