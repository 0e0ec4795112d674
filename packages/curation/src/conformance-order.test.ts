import { describe, expect, it } from 'bun:test';
import fc from 'fast-check';
import conformance from '../../../conformance/selection-cases.json' with { type: 'json' };
import {
  buildSimilarityGraph,
  calibrateThreshold,
  corpusNovelty,
  findDuplicates,
  selectSubset,
} from './index.ts';

type Input = (typeof conformance.cases)[number]['input'];

/** All answers, with keys in place of runs, for the runs of a case in an order. */
async function answersBy(input: Input, order: readonly number[]) {
  const { k, quality, eligible, falseDuplicateRate, duplicateThreshold } = input;
  const pick = <T>(all: readonly T[]): T[] => order.map((run) => all[run] as T);
  const keys = pick(input.keys);
  const vectors = pick(input.vectors).map((values) => {
    const norm = Math.hypot(...values);
    return Float32Array.from(values, (value) => (norm === 0 ? 0 : value / norm));
  });
  const neighbors = input.neighbors ?? Math.max(1, vectors.length - 1);
  const graph = await buildSimilarityGraph(vectors, { keys, neighbors });
  const selection = selectSubset(graph, {
    k,
    baseline: input.baseline as number | 'median',
    quality: quality === null ? undefined : pick(quality),
    eligible: eligible?.map((run) => order.indexOf(run)),
  });
  const byKey = <T>(values: Iterable<T>): (readonly [string | undefined, T])[] =>
    [...values]
      .map((value, run) => [keys[run], value] as const)
      .sort(([a = ''], [b = '']) => (a < b ? -1 : 1));
  let threshold: unknown;
  try {
    threshold = calibrateThreshold(graph, { groups: pick(input.groups), falseDuplicateRate });
  } catch (error) {
    threshold = `${error}`;
  }
  return {
    novelty: byKey(corpusNovelty(graph)),
    ...selection,
    ranking: selection.ranking.map((run) => keys[run]),
    representedBy: byKey(selection.representedBy.map((run) => keys[run])),
    threshold,
    duplicates: findDuplicates(graph, { threshold: duplicateThreshold })
      .map((group) => group.map((run) => keys[run]).sort())
      .sort(),
  };
}

const unique = conformance.cases.filter(({ input }) => {
  return new Set(input.keys).size === input.keys.length;
});

describe('conformance in another order', () => {
  it('leaves out only cases with equal keys', () => {
    expect(unique.length).toBeGreaterThan(conformance.cases.length / 2);
  });

  it.each(unique.map((one) => [one.name, one.input] as const))('%s', async (_, input) => {
    const runs = input.keys.map((_, run) => run);
    const expected = await answersBy(input, runs);
    await fc.assert(
      fc.asyncProperty(fc.shuffledSubarray(runs, { minLength: runs.length }), async (order) => {
        expect(await answersBy(input, order)).toEqual(expected);
      }),
      { numRuns: 3 },
    );
  });
});
