import { describe, expect, it } from 'bun:test';
import type { SimilarityGraph } from '@kp/vector-cache';
import { graphOf } from '../test/corpora.ts';
import { type Bands, bandOf, calibrateThreshold, calibrateThresholds } from './calibrate.ts';

/**
 * A task for each number: its first run is 0.9 like the first of each other task, its second so
 * similar to its own first. A task of `undefined` has one run.
 */
async function tasksOf(
  within: readonly (number | undefined)[],
): Promise<{ graph: SimilarityGraph; groups: string[] }> {
  const dimensions = 1 + 2 * within.length;
  const vectors: Float32Array[] = [];
  const groups: string[] = [];
  for (const [task, similarity] of within.entries()) {
    const first = new Float32Array(dimensions);
    first[0] = Math.sqrt(0.9);
    first[1 + 2 * task] = Math.sqrt(0.1);
    vectors.push(first);
    groups.push(`task ${task}`);
    if (similarity === undefined) continue;
    const second = first.map((value) => value * similarity);
    second[2 + 2 * task] = Math.sqrt(1 - similarity ** 2);
    vectors.push(second);
    groups.push(`task ${task}`);
  }
  const keys = vectors.map((_, run) => `k${String(run).padStart(4, '0')}`);
  return { graph: await graphOf({ vectors, keys }), groups };
}

const hundredths = (count: number): number[] =>
  Array.from({ length: count }, (_, at) => (at + 1) / 100);

describe('calibrateThresholds', () => {
  it.each([
    // tasks with two runs, rate, newBelow: the ⌊(m+1)β⌋-th smallest of 0.01, 0.02, 0.03 …
    [9, 0.1, 0.01],
    [8, 0.1, undefined],
    [9, 0.25, 0.02],
    [9, 0.29, 0.02],
    [9, 0.3, 0.03],
    // 50 × 0.58 is 28.999999999999996 in doubles.
    [49, 0.58, 0.29],
    [14, 0.57, 0.08],
    [4, 0.2, 0.01],
  ])('of %p tasks with a rate of %p', async (tasks, falseNewRate, newBelow) => {
    const { graph, groups } = await tasksOf([undefined, ...hundredths(tasks), undefined]);
    const options = { groups, falseDuplicateRate: 0.5, falseNewRate };
    const bands = calibrateThresholds(graph, options);
    expect(bands).toMatchObject({ method: 'conformal', tasks: tasks + 2, falseNewRate });
    expect(bands.falseDuplicateRate).toBe(0.5);
    expect(bands.redundantAbove).toBeCloseTo(0.9, 6);
    if (newBelow === undefined) expect(bands).not.toHaveProperty('newBelow');
    else expect(bands.newBelow).toBeCloseTo(newBelow, 6);
  });

  it('takes 0.1 for both rates when left out', async () => {
    const { graph, groups } = await tasksOf(hundredths(19));
    const bands = calibrateThresholds(graph, { groups });
    expect(bands).toMatchObject({ falseDuplicateRate: 0.1, falseNewRate: 0.1, tasks: 19 });
    expect(bands.newBelow).toBeCloseTo(0.02, 6);
  });

  it('never calls new what is redundant', async () => {
    const { graph, groups } = await tasksOf([0.97, 0.98, 0.99, 0.96]);
    const rates = { falseDuplicateRate: 0.9, falseNewRate: 0.8 };
    const bands = calibrateThresholds(graph, { groups, ...rates });
    expect(bands.newBelow).toBe(bands.redundantAbove);
  });

  it.each(['falseDuplicateRate', 'falseNewRate'])('refuses a %s of 0 and over 1', async (name) => {
    const { graph, groups } = await tasksOf([0.5, 0.5]);
    const withRate = (rate: number) => () => calibrateThresholds(graph, { groups, [name]: rate });
    expect(withRate(0)).toThrow(`${name}: expected a rate over 0, received 0`);
    expect(withRate(1.1)).toThrow(`${name}: expected a number from 0 to 1, received 1.1`);
    expect(withRate(-0.1)).toThrow(`${name}: expected a number from 0 to 1, received -0.1`);
  });
});

describe('calibrateThreshold', () => {
  it('needs two tasks whatever the rate, and then takes the smallest value', async () => {
    const one = await tasksOf([0.5]);
    const rate = { falseDuplicateRate: 1 };
    expect(() => calibrateThreshold(one.graph, { groups: one.groups, ...rate })).toThrow(
      'groups: expected at least 2 tasks for an error rate of 1, received 1',
    );
    const two = await tasksOf([0.5, 0.5]);
    const { threshold, rank, tasks } = calibrateThreshold(two.graph, {
      groups: two.groups,
      ...rate,
    });
    expect([rank, tasks]).toEqual([1, 2]);
    expect(threshold).toBeCloseTo(0.9, 6);
  });

  it('needs 2/rate − 1 tasks, and says so in fields', async () => {
    const { graph, groups } = await tasksOf(new Array(4).fill(0.5));
    const options = { groups, falseDuplicateRate: 0.4 };
    expect(calibrateThreshold(graph, options)).toMatchObject({ rank: 4, tasks: 4 });
    expect(() => calibrateThreshold(graph, { groups, falseDuplicateRate: 0.39 })).toThrow(
      expect.objectContaining({
        code: 'TOO_FEW_GROUPS',
        needed: 5,
        expected: 'at least 5 tasks for an error rate of 0.39',
        received: '4',
      }),
    );
    expect(() => calibrateThreshold(graph, { ...options, groups: ['a'] })).toThrow(
      expect.objectContaining({
        code: 'CURATION_INPUT_INVALID',
        expected: '8 entries, one per run',
        received: '1',
      }),
    );
  });

  it('takes a product that is whole but for rounding for whole', async () => {
    // 25 × (1 − 0.44) is 14.000000000000002 in doubles.
    const { graph, groups } = await tasksOf(new Array(24).fill(0.5));
    expect(calibrateThreshold(graph, { groups, falseDuplicateRate: 0.44 }).rank).toBe(15);
  });

  it('takes the opposite of all others for what it is', async () => {
    const vectors = [Float32Array.of(1), Float32Array.of(-1)];
    const graph = await graphOf({ vectors, keys: ['a', 'b'] });
    const options = { groups: ['one', 'two'], falseDuplicateRate: 1 };
    expect(calibrateThreshold(graph, options).threshold).toBe(-1);
  });
});

describe('bandOf', () => {
  const bands: Bands = {
    redundantAbove: 0.8,
    newBelow: 0.4,
    method: 'conformal',
    falseDuplicateRate: 0.1,
    falseNewRate: 0.1,
    tasks: 20,
  };
  const { newBelow: _, ...withoutLower } = bands;

  it.each([
    [0.81, bands, 'redundant'],
    [0.8, bands, 'uncertain'],
    [0.4, bands, 'uncertain'],
    [0.39, bands, 'keep'],
    [0.1, withoutLower, 'uncertain'],
    [0.8, { ...withoutLower, method: 'estimated' }, 'keep'],
    [0.81, { ...withoutLower, method: 'estimated' }, 'redundant'],
  ] as const)('of %p is as the bands say', (similarity, given, band) => {
    expect(bandOf(similarity, given)).toBe(band);
  });
});
