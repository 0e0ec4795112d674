import { describe, expect, it } from 'bun:test';
import type { SimilarityGraph } from '@kp/vector-cache';
import { graphOf } from '../test/corpora.ts';
import { kneeOf, type SelectionOptions, selectSubset } from './select-subset.ts';

const KEYS = ['a', 'b', 'c', 'd', 'e'];
const graphOfRows = (rows: readonly (readonly number[])[]): Promise<SimilarityGraph> =>
  graphOf({ vectors: rows.map((row) => Float32Array.from(row)), keys: KEYS.slice(0, rows.length) });

/** Orthogonal to each other. */
const apart = (count: number): Promise<SimilarityGraph> =>
  graphOfRows(Array.from({ length: count }, (_, axis) => KEYS.map((_, at) => +(at === axis))));

const rankingOf = (graph: SimilarityGraph, options: SelectionOptions): number[] =>
  selectSubset(graph, { baseline: 0, ...options }).ranking;

describe('selectSubset at its edges', () => {
  it('has nothing to say of no runs, of k 0, and where nobody may be chosen', async () => {
    expect(selectSubset(await graphOfRows([]), { k: 3 })).toEqual({
      ranking: [],
      gains: [],
      coverage: 0,
      representedBy: [],
      baseline: 0,
      knee: 0,
    });
    const two = await apart(2);
    const nobody = { ranking: [], gains: [], coverage: 0, representedBy: [-1, -1], knee: 0 };
    expect(selectSubset(two, { k: 0 })).toMatchObject(nobody);
    expect(selectSubset(two, { k: 2, eligible: [] })).toMatchObject(nobody);
    expect(selectSubset(two, { k: 2, quality: [0, 0] })).toMatchObject(nobody);
  });

  it('picks what gains 1e-6, and nothing that gains less', async () => {
    const one = await apart(1);
    const least = { ranking: [0], gains: [1e-6], coverage: 1, representedBy: [0], knee: 1 };
    expect(selectSubset(one, { k: 1, quality: [1e-6] })).toMatchObject(least);
    expect(rankingOf(one, { k: 1, quality: [0.9e-6] })).toEqual([]);
    expect(rankingOf(one, { k: 1, quality: [0.5], minGain: 0.5 })).toEqual([0]);
    expect(rankingOf(one, { k: 1, quality: [0.5], minGain: 0.51 })).toEqual([]);
    expect(rankingOf(one, { k: 1, quality: [0.5], minGain: 0 })).toEqual([0]);
  });

  it('takes gains within 1e-6 for a tie that the smaller key wins', async () => {
    const two = await apart(2);
    expect(rankingOf(two, { k: 2, quality: [1 - 0.5e-6, 1] })).toEqual([0, 1]);
    expect(rankingOf(two, { k: 2, quality: [1 - 2e-6, 1] })).toEqual([1, 0]);
    const three = await apart(3);
    expect(rankingOf(three, { k: 3, eligible: [2, 1, 0], given: [0] })).toEqual([1, 2]);
  });

  it('names the given run of the smallest key where copies cover alike', async () => {
    const graph = await graphOfRows([
      [1, 0],
      [1, 0],
      [1, 0],
    ]);
    for (const given of [
      [1, 2],
      [2, 1],
    ]) {
      const { representedBy, coverage } = selectSubset(graph, { k: 0, given, baseline: 0 });
      expect(representedBy).toEqual([1, 1, 1]);
      expect(coverage).toBe(1);
    }
  });

  it('lets a given run of no quality stand for nobody', async () => {
    const graph = await apart(2);
    const options = { k: 0, given: [0], quality: [0, 1], baseline: 0 };
    expect(selectSubset(graph, options).representedBy).toEqual([-1, -1]);
  });

  it('finds the knee by hand where gains are small, equal, or none', () => {
    // 0.1/0.21 − 1/3 = 0.14 and 0.2/0.21 − 2/3 = 0.29 over the chord.
    expect(kneeOf([0.1, 0.1, 0.01])).toBe(2);
    expect(kneeOf([1, 1, 1])).toBe(1);
    expect(kneeOf([0, 0])).toBe(1);
    expect(kneeOf([5])).toBe(1);
  });

  it.each([
    [{ groups: ['one'] }, 'groups: expected 2 entries, one per run, received 1'],
    [
      { groups: ['one', 'two'], maxPerGroup: 0 },
      'maxPerGroup: expected an integer of at least 1, received 0',
    ],
    [{ minGain: -0.1 }, 'minGain: expected a number from 0 to '],
    [{ minGain: Number.POSITIVE_INFINITY }, 'minGain: expected a number from 0 to '],
    [{ given: [-1] }, 'given: expected indices of runs below 2, received -1'],
    [{ baseline: -1.01 }, 'baseline: expected a number from -1 to 1, received -1.01'],
    [{ quality: [1, -0.1] }, 'quality[1]: expected a number from 0 to 1, received -0.1'],
    [{ quality: [1, '1'] }, 'quality[1]: expected a number from 0 to 1, received "1"'],
    [{ k: 1.5 }, 'k: expected an integer of at least 0, received 1.5'],
  ])('refuses %j', async (options, message) => {
    const two = await apart(2);
    expect(() => selectSubset(two, { k: 1, ...options } as SelectionOptions)).toThrow(message);
  });

  it('takes a baseline of -1 and of 1', async () => {
    const two = await apart(2);
    // Each covers the other by (0 + 1) / 2, or not at all.
    expect(selectSubset(two, { k: 1, baseline: -1 }).gains).toEqual([1.5]);
    expect(selectSubset(two, { k: 1, baseline: 1 }).gains).toEqual([1]);
  });
});

describe('selection by spread', () => {
  // Cosines to a: b 0.8, c 0, d -1; b–c 0.6, b–d -0.8, c–d 0.
  const fan = [
    [1, 0],
    [0.8, 0.6],
    [0, 1],
    [-1, 0],
  ];

  it('k-center takes the farthest from those chosen, by hand', async () => {
    const graph = await graphOfRows(fan);
    const options = { k: 4, given: [0], objective: 'k-center' } as const;
    // b is 0.8 near to a, and last; c is 0 near to a and to d.
    expect(rankingOf(graph, options)).toEqual([3, 2, 1]);
    expect(rankingOf(graph, { ...options, k: 1 })).toEqual([3]);
    // However good the others are.
    expect(rankingOf(graph, { ...options, k: 1, quality: [1, 1, 1, 0] })).toEqual([3]);
  });

  it('mmr weighs quality against nearness by halves, by hand', async () => {
    const graph = await graphOfRows(fan);
    const ranking = (...quality: number[]): number[] =>
      rankingOf(graph, { k: 1, given: [0], eligible: [1, 2], quality, objective: 'mmr' });
    // b: (1 − 0.8) / 2 = 0.1; c: 0.1 / 2 = 0.05 and 0.4 / 2 = 0.2.
    expect(ranking(1, 1, 0.1, 1)).toEqual([1]);
    expect(ranking(1, 1, 0.4, 1)).toEqual([2]);
  });

  it.each(['mmr', 'k-center'] as const)(
    '%s begins where facility location does',
    async (objective) => {
      const graph = await graphOfRows(fan);
      const { ranking, gains } = selectSubset(graph, { k: 2, baseline: 0, objective });
      // b covers itself, 0.8 of a and 0.6 of c; then d, which is unlike b most, itself.
      expect(ranking).toEqual([1, 3]);
      expect(gains[0]).toBeCloseTo(2.4, 6);
      expect(gains[1]).toBeCloseTo(1, 6);
    },
  );

  it.each(['mmr', 'k-center'] as const)(
    '%s takes no copy and no more of a full group',
    async (objective) => {
      const graph = await graphOfRows([
        [1, 0, 0],
        [1, 0, 0],
        [0, 1, 0],
        [0, 0, 1],
      ]);
      expect(rankingOf(graph, { k: 4, objective })).toStrictEqual([0, 2, 3]);
      const groups = ['one', 'one', 'two', 'two'];
      expect(rankingOf(graph, { k: 4, objective, groups, maxPerGroup: 1 })).toEqual([0, 2]);
    },
  );

  it('takes worths within 1e-6 for a tie that the smaller key wins', async () => {
    const graph = await apart(3);
    const ranking = (quality: readonly number[], eligible: readonly number[]): number[] =>
      rankingOf(graph, { k: 2, given: [0], quality, eligible, objective: 'mmr' });
    expect(ranking([1, 1 - 1e-6, 1], [1, 2])).toEqual([1, 2]);
    expect(ranking([1, 1 - 4e-6, 1], [1, 2])).toEqual([2, 1]);
    expect(ranking([1, 1, 1], [2, 1])).toEqual([1, 2]);
  });
});
