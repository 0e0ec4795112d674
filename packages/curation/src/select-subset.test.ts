import { describe, expect, it } from 'bun:test';
import type { SimilarityGraph } from '@kp/vector-cache';
import fc from 'fast-check';
import { corpora, graphOf, reordered, shuffledCorpora } from '../test/corpora.ts';
import { weightOf } from './cover-weights.ts';
import { kneeOf, type SelectionObjective, selectSubset } from './select-subset.ts';

/** F by its definition, over all pairs that the graph keeps. */
function coverOf(graph: SimilarityGraph, chosen: readonly number[], baseline: number): number {
  return graph.keys.reduce((sum, _, run) => {
    const weights = chosen.map((other) => weightOf(graph.similarity(run, other), baseline));
    return sum + Math.max(0, ...weights);
  }, 0);
}

/** Computes every gain in every round. */
function naiveGreedy(graph: SimilarityGraph, k: number, baseline: number): number[] {
  const chosen: number[] = [];
  const runs = graph.keys.map((_, run) => run);
  while (chosen.length < k) {
    const before = coverOf(graph, chosen, baseline);
    const gains = runs.map((run) =>
      chosen.includes(run) ? -1 : coverOf(graph, [...chosen, run], baseline) - before,
    );
    const best = Math.max(...gains);
    if (best < 1e-6) break;
    const tied = runs.filter((run) => gains[run] >= best - 1e-6);
    chosen.push(tied.reduce((a, b) => (graph.keys[b] < graph.keys[a] ? b : a)));
  }
  return chosen;
}

describe('selectSubset', () => {
  it('picks, lazily, what a greedy search without short cuts picks', async () => {
    await fc.assert(
      fc.asyncProperty(corpora(12), fc.integer({ min: 0, max: 12 }), async (corpus, k) => {
        const graph = await graphOf(corpus);
        const { ranking, baseline } = selectSubset(graph, { k });
        expect(ranking).toEqual(naiveGreedy(graph, k, baseline));
      }),
    );
  });

  it('reaches 1 − 1/e of the exact optimum', async () => {
    await fc.assert(
      fc.asyncProperty(corpora(10, 3), async (corpus) => {
        const graph = await graphOf(corpus);
        const { ranking, gains, baseline } = selectSubset(graph, { k: 3 });
        let optimum = 0;
        for (let a = 0; a < graph.size; a++) {
          for (let b = a; b < graph.size; b++) {
            for (let c = b; c < graph.size; c++) {
              optimum = Math.max(optimum, coverOf(graph, [a, b, c], baseline));
            }
          }
        }
        const reached = gains.reduce((sum, gain) => sum + gain, 0);
        expect(reached).toBeCloseTo(coverOf(graph, ranking, baseline), 6);
        expect(reached).toBeGreaterThanOrEqual((1 - 1 / Math.E) * optimum - 1e-6);
      }),
      { numRuns: 60 },
    );
  });

  it.each(['mmr', 'k-center'] as SelectionObjective[])(
    '%s says what each pick adds to those before it',
    async (objective) => {
      await fc.assert(
        fc.asyncProperty(corpora(10, 3), async (corpus) => {
          const graph = await graphOf(corpus);
          const { ranking, gains, baseline } = selectSubset(graph, { k: 5, objective });
          for (let picks = 1; picks <= gains.length; picks++) {
            const reached = gains.slice(0, picks).reduce((sum, gain) => sum + gain, 0);
            const covered = coverOf(graph, ranking.slice(0, picks), baseline);
            expect(reached).toBeCloseTo(covered, 6);
          }
        }),
        { numRuns: 60 },
      );
    },
  );

  it.each(['facility-location', 'mmr', 'k-center'] as SelectionObjective[])(
    '%s gives the same bits in any order of the input',
    async (objective) => {
      await fc.assert(
        fc.asyncProperty(
          shuffledCorpora(14),
          fc.integer({ min: 1, max: 14 }),
          async ([corpus, order], kept) => {
            const plain = selectSubset(await graphOf(corpus, kept), { k: 6, objective });
            const shuffled = selectSubset(await graphOf(reordered(corpus, order), kept), {
              k: 6,
              objective,
            });
            expect({
              ...shuffled,
              ranking: shuffled.ranking.map((run) => order[run]),
              representedBy: plain.ranking,
            }).toEqual({ ...plain, representedBy: plain.ranking });
          },
        ),
      );
    },
  );

  it('passes a full group over and ends when nothing is left that may be chosen', async () => {
    const vectors = [0, 1, 2, 3].map((axis) =>
      Float32Array.from({ length: 4 }, (_, at) => +(at === axis)),
    );
    const graph = await graphOf({ vectors, keys: ['a', 'b', 'c', 'd'] });
    const groups = ['one', 'one', 'one', 'two'];
    expect(selectSubset(graph, { k: 4, groups, maxPerGroup: 1 }).ranking).toEqual([0, 3]);
    expect(selectSubset(graph, { k: 4, groups, maxPerGroup: 2 }).ranking).toEqual([0, 1, 3]);
  });

  it('adds to what is given, and never picks it or a copy of it', async () => {
    const vectors = [
      [1, 0],
      [1, 0],
      [0, 1],
    ].map((values) => Float32Array.from(values));
    const graph = await graphOf({ vectors, keys: ['a', 'b', 'c'] });
    const selection = selectSubset(graph, { k: 3, given: [1], baseline: 0 });
    expect(selection.ranking).toEqual([2]);
    expect(selection.representedBy).toEqual([1, 1, 2]);
    expect(selection.coverage).toBe(1);
  });

  it('ends at the least gain', async () => {
    const vectors = [
      [1, 0],
      [1, 0],
      [0, 1],
    ].map((values) => Float32Array.from(values));
    const graph = await graphOf({ vectors, keys: ['a', 'b', 'c'] });
    expect(selectSubset(graph, { k: 3, baseline: 0, minGain: 1.5 }).ranking).toEqual([0]);
  });

  it('finds the knee by hand', () => {
    // Summed and normalised 0.8, 0.9, 1: 0.8 − 1/3 is the farthest from the chord.
    expect(kneeOf([8, 1, 1])).toBe(1);
    expect(kneeOf([4, 4, 1, 1])).toBe(2);
    expect(kneeOf([])).toBe(0);
  });

  it.each([
    [{ k: -1 }, 'k: expected an integer of at least 0, received -1'],
    [{ k: 1, quality: [1] }, 'quality: expected 2 entries, one per run, received 1'],
    [{ k: 1, quality: [1, 2] }, 'quality[1]: expected a number from 0 to 1, received 2'],
    [{ k: 1, eligible: [2] }, 'eligible: expected indices of runs below 2, received 2'],
    [{ k: 1, baseline: 2 }, 'baseline: expected a number from -1 to 1, received 2'],
    [
      { k: 1, maxPerGroup: 1 },
      'groups: expected the group of each run for maxPerGroup, received nothing',
    ],
    [
      { k: 1, objective: 'dpp' },
      'objective: expected facility-location, mmr or k-center, received "dpp"',
    ],
    [
      { k: 1, minGain: 1, objective: 'mmr' },
      'minGain: expected the objective facility-location, received "mmr"',
    ],
  ])('refuses %j', async (options, message) => {
    const graph = await graphOf({
      vectors: [Float32Array.of(1), Float32Array.of(1)],
      keys: ['a', 'b'],
    });
    expect(() => selectSubset(graph, options as Parameters<typeof selectSubset>[1])).toThrow(
      message,
    );
  });
});
