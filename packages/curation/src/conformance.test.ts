import { describe, expect, it } from 'bun:test';
import conformance from '../../../conformance/selection-cases.json' with { type: 'json' };
import { TooFewGroupsError } from './errors.ts';
import {
  buildSimilarityGraph,
  calibrateThreshold,
  corpusNovelty,
  findDuplicates,
  type SimilarityGraph,
  selectSubset,
} from './index.ts';

const { cases, tolerances } = conformance;
type Case = (typeof cases)[number];

function toUnit(values: readonly number[]): Float32Array {
  const norm = Math.hypot(...values);
  return Float32Array.from(values, (value) => (norm === 0 ? 0 : value / norm));
}

function expectClose(
  received: ArrayLike<number>,
  expected: readonly number[],
  tolerance: number,
): void {
  expect(received.length).toBe(expected.length);
  const off = expected.map((value, index) => Math.abs(received[index] - value));
  expect(off.filter((distance) => !(distance <= tolerance))).toEqual([]);
}

function graphOf({ input }: Case): Promise<SimilarityGraph> {
  const neighbors = input.neighbors ?? Math.max(1, input.vectors.length - 1);
  return buildSimilarityGraph(input.vectors.map(toUnit), { keys: input.keys, neighbors });
}

const named = cases.map((one) => [one.name, one] as const);

describe('conformance', () => {
  it('has the cases it should', () => expect(cases.length).toBe(44));

  it.each(named)('novelty in the corpus: %s', async (_, one) => {
    const novelty = corpusNovelty(await graphOf(one));
    expectClose(novelty, one.expected.corpusNovelty, tolerances.corpusNovelty);
  });

  it.each(named)('selection: %s', async (_, one) => {
    const { input, expected } = one;
    const selection = selectSubset(await graphOf(one), {
      k: input.k,
      baseline: input.baseline as number | 'median',
      quality: input.quality ?? undefined,
      eligible: input.eligible ?? undefined,
    });
    const keysOf = (runs: readonly number[]) => runs.map((run) => input.keys[run] ?? null);
    expect(keysOf(selection.ranking)).toEqual(keysOf(expected.ranking));
    expect(keysOf(selection.representedBy)).toEqual(keysOf(expected.representedBy));
    expectClose([selection.baseline], [expected.baseline], tolerances.baseline);
    expectClose([selection.coverage], [expected.coverage], tolerances.coverage);
    expectClose(selection.gains, expected.gains, tolerances.gains);
    const objective = selection.gains.reduce((sum, gain) => sum + gain, 0);
    expectClose([objective], [expected.objective], tolerances.objective);
    const share = expected.optimum === undefined ? 1 : objective / (expected.optimum || 1);
    if (expected.ranking.length === input.k) expect(share).toBeGreaterThan(1 - 1 / Math.E);
  });

  it.each(named)('duplicates: %s', async (_, one) => {
    const groups = findDuplicates(await graphOf(one), { threshold: one.input.duplicateThreshold });
    const byKey = (all: readonly (readonly number[])[]) =>
      all.map((group) => group.map((run) => one.input.keys[run]).sort()).sort();
    expect(byKey(groups)).toEqual(byKey(one.expected.duplicates));
  });

  it.each(named)('threshold: %s', async (_, one) => {
    const { groups, falseDuplicateRate } = one.input;
    const graph = await graphOf(one);
    const { calibration } = one.expected;
    if (calibration.refused === true) {
      const refusal = capture(() => calibrateThreshold(graph, { groups, falseDuplicateRate }));
      expect(refusal).toBeInstanceOf(TooFewGroupsError);
      expect(refusal).toMatchObject({ code: 'TOO_FEW_GROUPS', needed: calibration.needed });
      return;
    }
    const { threshold, rank } = calibrateThreshold(graph, { groups, falseDuplicateRate });
    expect(rank).toBe(calibration.rank as number);
    expectClose([threshold], [calibration.threshold as number], tolerances.threshold);
  });
});

function capture(call: () => unknown): unknown {
  try {
    return call();
  } catch (error) {
    return error;
  }
}
