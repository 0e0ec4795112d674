import { describe, expect, it } from 'bun:test';
import type { ReasoningTrace, ReasoningTraceStep } from '@kp/schema';
import fc from 'fast-check';
import { corpusVectors } from './corpus-vectors.ts';
import { findDuplicates } from './duplicates.ts';
import { buildSimilarityGraph } from './similarity-graph.ts';
import { taskView } from './task-view.ts';
import { countWords } from './words.ts';

function traceOf(objective: string, steps: Partial<ReasoningTraceStep>[] = []): ReasoningTrace {
  return {
    '@context': 'https://openknowledgepulse.org/schema/v1',
    '@type': 'ReasoningTrace',
    id: `kp:trace:${objective}`,
    metadata: {
      created_at: '2026-01-15T10:00:00Z',
      task_domain: 'default',
      success: true,
      quality_score: 0,
      visibility: 'private',
      privacy_level: 'private',
    },
    task: { objective },
    steps: steps.map((step, step_id) => ({ step_id, type: 'thought', ...step })),
    outcome: { result_summary: '', confidence: 0.5 },
  };
}

async function similarities(traces: readonly ReasoningTrace[]): Promise<number[][]> {
  const keys = traces.map((_, run) => `k${run}`);
  const graph = await buildSimilarityGraph(corpusVectors(traces), { keys });
  return keys.map((_, a) => keys.map((_, b) => graph.similarity(a, b)));
}

describe('taskView', () => {
  it('takes the objective, what users said and what tools were given, and nothing else', () => {
    const view = taskView(
      traceOf('Cancel it', [
        { content: 'thinking' },
        { type: 'observation', content: 'order W12', 'kp:source': { role: 'user' } },
        {
          type: 'tool_call',
          tool: { name: 'cancel' },
          input: { id: 'W12', deep: [{ n: 7 }, true] },
        },
        { type: 'observation', content: 'cancelled', 'kp:source': { call_id: 'c1' } },
      ]),
    );
    expect(view).toEqual({
      objective: 'Cancel it',
      asked: 'Cancel it\norder W12',
      task: 'Cancel it\norder W12\nW12\n7\ntrue',
    });
  });
});

describe('countWords', () => {
  it('takes letters, digits and underscores, in lower case', () => {
    expect([...countWords("Don't ship W_12, Ship!")]).toEqual([
      ['don', 1],
      ['t', 1],
      ['ship', 2],
      ['w_12', 1],
    ]);
  });

  it('takes pairs of characters where a script has no spaces', () => {
    expect([...countWords('航空券を予約').keys()]).toEqual([
      '航空',
      '空券',
      '券を',
      'を予',
      '予約',
    ]);
    expect([...countWords('v2版').keys()]).toEqual(['v2', '版']);
  });
});

describe('corpusVectors', () => {
  it('adds three views of one length, by hand', () => {
    const said = { type: 'observation', content: 'pear pear pear', 'kp:source': { role: 'user' } };
    const [row] = corpusVectors([traceOf('apple', [said as never])]).rows;
    // Both words are as rare: the objective is (1, 0), and twice it is (1, 1 + ln 3) by its length.
    const [count, length] = [1 + Math.log(3), Math.hypot(1, 1 + Math.log(3))];
    const sum = [1 + 2 / length, (2 * count) / length] as const;
    const expected = sum.map((value) => value / Math.hypot(...sum));
    expect([...(row?.indices ?? [])]).toEqual([0, 1]);
    for (const [at, value] of expected.entries()) {
      expect(row?.values[at]).toBeCloseTo(value, 12);
    }
    // A view without a word adds nothing.
    const [wordless] = corpusVectors([traceOf('…', [said as never])]).rows;
    expect([...(wordless?.values ?? [])]).toEqual([1]);
  });

  it('weighs words by how few runs have them, by hand', async () => {
    // Each text has two words: one shared by two of three, and one of its own.
    const [row] = await similarities([
      traceOf('cancel flight'),
      traceOf('cancel hotel'),
      traceOf('x'),
    ]);
    // The three views of each are alike. ln(4/2)^1.5 and ln(4/1)^1.5, squared: ln^3.
    const shared = Math.log(2) ** 3;
    expect(row?.[1]).toBeCloseTo(shared / (shared + Math.log(4) ** 3), 7);
    expect(row?.[2]).toBe(0);
  });

  it('finds copies in a corpus that is nothing but copies', async () => {
    const traces = [traceOf('the same'), traceOf('the same')];
    const graph = await buildSimilarityGraph(corpusVectors(traces), { keys: ['a', 'b'] });
    expect(findDuplicates(graph, { threshold: 0.99 })).toEqual([[0, 1]]);
  });

  it('is the same, to the bit, for the traces in another order', async () => {
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

  it('gives the similarities of the inverted index, to the bit, pair by pair', async () => {
    const traces = ['a b c', 'b c d', 'd e', '', 'a a a d'].map((text) => traceOf(text));
    const keys = traces.map((_, run) => `k${run}`);
    const graph = await buildSimilarityGraph(corpusVectors(traces), { keys });
    for (const [at, other] of graph.indices.entries()) {
      const run = Math.floor(at / graph.neighbors);
      expect(graph.similarities[at]).toBe(graph.similarity(run, other));
    }
  });
});

describe('sparse vectors of one’s own', () => {
  it.each([
    [{ indices: Uint32Array.of(3), values: Float64Array.of(1) }, 'indices below 3, received 3'],
    [{ indices: Uint32Array.of(1, 2), values: Float64Array.of(1) }, 'as many values as indices'],
  ])('are refused: %j', async (row, message) => {
    const vectors = { kind: 'sparse', id: 'mine', dimensions: 3, rows: [row] } as const;
    await expect(buildSimilarityGraph(vectors, { keys: ['a'] })).rejects.toThrow(message);
  });
});
