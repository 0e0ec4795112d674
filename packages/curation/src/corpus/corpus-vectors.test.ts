import { describe, expect, it } from 'bun:test';
import type { ReasoningTrace } from '@kp/schema';
import fc from 'fast-check';
import { traceOf } from '../../test/traces.ts';
import { corpusVectors, createCorpusVectorizer } from './corpus-vectors.ts';
import { findDuplicates } from './duplicates.ts';
import { buildSimilarityGraph } from './similarity-graph.ts';

async function similarities(traces: readonly ReasoningTrace[]): Promise<number[][]> {
  const keys = traces.map((_, run) => `k${run}`);
  const graph = await buildSimilarityGraph(corpusVectors(traces), { keys });
  return keys.map((_, a) => keys.map((_, b) => graph.similarity(a, b)));
}

describe('corpusVectors', () => {
  it('adds three views, each of length 1, as calculated by hand', () => {
    const said = { type: 'observation', content: 'pear pear pear', 'kp:source': { role: 'user' } };
    const [row] = corpusVectors([traceOf('apple', [said])]).rows;
    // Both words are equally rare: the objective is (1, 0), and the two other views are (1, 1 + ln
    // 3), scaled to length 1.
    const [count, length] = [1 + Math.log(3), Math.hypot(1, 1 + Math.log(3))];
    const sum = [1 + 2 / length, (2 * count) / length] as const;
    const expected = sum.map((value) => value / Math.hypot(...sum));
    expect([...(row?.indices ?? [])]).toEqual([0, 1]);
    for (const [at, value] of expected.entries()) {
      expect(row?.values[at]).toBeCloseTo(value, 12);
    }
    // A view without words adds nothing.
    const [wordless] = corpusVectors([traceOf('…', [said])]).rows;
    expect([...(wordless?.values ?? [])]).toEqual([1]);
  });

  it('weights words by their rarity, as calculated by hand', async () => {
    // Each text has two words: one that two of the three texts share, and one that only it
    // contains.
    const [row] = await similarities([
      traceOf('cancel flight'),
      traceOf('cancel hotel'),
      traceOf('x'),
    ]);
    // The three views of each text are equal. The squares of ln(4/2)^1.5 and ln(4/1)^1.5 are ln^3.
    const shared = Math.log(2) ** 3;
    expect(row?.[1]).toBeCloseTo(shared / (shared + Math.log(4) ** 3), 7);
    expect(row?.[2]).toBe(0);
  });

  it('finds copies in a corpus that contains only copies', async () => {
    const traces = [traceOf('the same'), traceOf('the same')];
    const graph = await buildSimilarityGraph(corpusVectors(traces), { keys: ['a', 'b'] });
    expect(findDuplicates(graph, { threshold: 0.99 })).toEqual([[0, 1]]);
  });

  it('is bit-identical for the traces in another order', async () => {
    const text = fc.array(fc.constantFrom('a', 'b', 'c', 'd e', 'e'), { maxLength: 6 });
    const texts = fc.array(text, { minLength: 1, maxLength: 8 });
    await fc.assert(
      fc.asyncProperty(texts, async (all) => {
        const traces = all.map((words) => traceOf(words.join(' ')));
        const plain = await similarities(traces);
        const turned = await similarities(traces.toReversed());
        expect(turned.toReversed().map((row) => row.toReversed())).toEqual(plain);
      }),
    );
  });

  it('weights a word by 1 + ln of its count, up to 65,535', () => {
    const ratio = (times: number): number => {
      const [a, b] = corpusVectors([traceOf(`${'a '.repeat(times)}b`)]).rows[0].values;
      return a / b;
    };
    expect(ratio(3)).toBeCloseTo(1 + Math.log(3), 9);
    expect(ratio(65_535)).toBeCloseTo(1 + Math.log(65_535), 9);
    expect(ratio(70_000)).toBeCloseTo(1 + Math.log(65_535), 9);
  });

  it('numbers the words in ascending order', () => {
    const vectors = corpusVectors([traceOf('b a'), traceOf('c a'), traceOf('')]);
    expect(vectors).toMatchObject({ kind: 'sparse', id: 'corpus-words/1', dimensions: 3 });
    expect(vectors.rows.map(({ indices }) => [...indices])).toEqual([[0, 1], [0, 2], []]);
    expect(createCorpusVectorizer().vectors()).toMatchObject({ dimensions: 0, rows: [] });
  });
});

describe('sparse vectors of the caller', () => {
  it.each([
    [{ indices: Uint32Array.of(3), values: Float64Array.of(1) }, 'indices below 3, received 3'],
    [{ indices: Uint32Array.of(1, 2), values: Float64Array.of(1) }, 'as many values as indices'],
    [{} as never, 'vectors.rows[0]: expected as many values as indices, received nothing'],
  ])('are rejected: %j', async (row, message) => {
    const vectors = { kind: 'sparse', id: 'mine', dimensions: 3, rows: [row] } as const;
    await expect(buildSimilarityGraph(vectors, { keys: ['a'] })).rejects.toThrow(message);
  });
});
