import { describe, expect, it } from 'bun:test';
import { graphOf } from '../../test/corpora.ts';
import { findDuplicates, groupDuplicates } from './duplicates.ts';

// Cosines: a–b 0.8, b–c 0.96, a–c 0.6; d is orthogonal to all.
const vectors = [
  [1, 0, 0],
  [0.8, 0.6, 0],
  [0.6, 0.8, 0],
  [0, 0, 1],
].map((v) => Float32Array.from(v));
const chain = { vectors, keys: ['a', 'b', 'c', 'd'] };

describe('findDuplicates', () => {
  it('joins connected runs, strictly above the threshold', async () => {
    const graph = await graphOf(chain);
    expect(findDuplicates(graph, { threshold: 0.7 })).toEqual([[0, 1, 2]]);
    expect(findDuplicates(graph, { threshold: 0.9 })).toEqual([[1, 2]]);
    expect(findDuplicates(graph, { threshold: 1 })).toEqual([]);
  });

  it('joins equal keys at any threshold', async () => {
    const graph = await graphOf({ vectors, keys: ['a', 'b', 'c', 'a'] });
    expect(findDuplicates(graph, { threshold: 1 })).toEqual([[0, 3]]);
  });
});

describe('findDuplicates at its limits', () => {
  it.each([-1.01, 1.01, Number.NaN])('refuses a threshold of %p', async (threshold) => {
    const graph = await graphOf(chain);
    expect(() => findDuplicates(graph, { threshold })).toThrow(
      `threshold: expected a number from -1 to 1, received ${threshold}`,
    );
  });

  it('joins everything above -1, and nothing exactly at the threshold', async () => {
    const graph = await graphOf({ vectors: vectors.slice(0, 3), keys: ['a', 'b', 'c'] });
    expect(findDuplicates(graph, { threshold: -1 })).toEqual([[0, 1, 2]]);
    const nearest = graph.similarities[graph.neighbors];
    expect(findDuplicates(graph, { threshold: nearest })).toEqual([]);
  });

  it('joins chains from either end, and keeps groups separate', async () => {
    const angles = [0, 90, 10, 100, 20, 110, 30, 200];
    const turned = angles.map((angle) => {
      const radians = (angle * Math.PI) / 180;
      return Float32Array.of(Math.cos(radians), Math.sin(radians));
    });
    const keys = ['h', 'g', 'f', 'e', 'd', 'c', 'b', 'a'];
    for (const neighbors of [7, 2]) {
      const graph = await graphOf({ vectors: turned, keys }, neighbors);
      const groups = findDuplicates(graph, { threshold: Math.cos((11 * Math.PI) / 180) });
      expect(groups).toEqual([
        [6, 4, 2, 0],
        [5, 3, 1],
      ]);
    }
  });
});

describe('groupDuplicates', () => {
  it('requires the merit of each run', async () => {
    const graph = await graphOf(chain);
    expect(() => groupDuplicates(graph, [], { threshold: 0.5 })).toThrow(
      'merits: expected 4 entries, one per run, received 0',
    );
  });

  it('keeps the best outcome, then the best score, then the smallest key', async () => {
    const graph = await graphOf(chain);
    const merits = (...all: [boolean | undefined, number][]) =>
      all.map(([success, score]) => ({ success, score }));
    const kept = (given: ReturnType<typeof merits>) =>
      groupDuplicates(graph, given, { threshold: 0.7 })[0]?.representative;
    expect(kept(merits([false, 0.9], [true, 0.1], [true, 0.2], [true, 1]))).toBe(2);
    expect(kept(merits([false, 0.9], [undefined, 0.1], [false, 0.2], [true, 1]))).toBe(1);
    expect(kept(merits([undefined, 0.9], [true, 0.1], [false, 1], [true, 1]))).toBe(1);
    expect(kept(merits([true, 0.5], [true, 0.5], [true, 0.5], [true, 1]))).toBe(0);
  });

  it('lists the others with their similarity to it', async () => {
    const merits = [1, 0, 0, 0].map((score) => ({ success: true, score }));
    const [group] = groupDuplicates(await graphOf(chain), merits, { threshold: 0.7 });
    expect(group?.members.map(({ run }) => run)).toEqual([1, 2]);
    expect(group?.members[1]?.similarity).toBeCloseTo(0.6, 6);
  });
});
