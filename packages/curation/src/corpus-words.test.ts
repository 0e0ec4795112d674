import { describe, expect, it } from 'bun:test';
import { createHash } from 'node:crypto';
import type { ReasoningTrace } from '@kp/schema';
import { contentKey } from './content-keys.ts';
import { corpusVectors, createCorpusVectorizer } from './corpus-vectors.ts';
import { taskView } from './task-view.ts';
import { countWords } from './words.ts';

function traceOf(objective: string, steps: readonly unknown[] = []): ReasoningTrace {
  const task = { objective };
  const outcome = { result_summary: 'Done', confidence: 0.5 };
  return { id: 'kp:trace:a', task, steps, outcome } as unknown as ReasoningTrace;
}

/** The vectors by word; the words in ascending order are the components. */
function byWord(vectors: ReturnType<typeof corpusVectors>, words: readonly string[]) {
  return vectors.rows.map(({ indices, values }) =>
    Object.fromEntries([...indices].map((index, at) => [words[index], values[at]])),
  );
}

describe('corpusVectors', () => {
  it('adds the three views of a trace at length 1 each, by hand', () => {
    const steps = [
      { type: 'observation', content: 'beta', 'kp:source': { role: 'user' } },
      { type: 'tool_call', tool: { name: 'x' }, input: { a: 'gamma' } },
    ];
    const [row] = byWord(corpusVectors([traceOf('alpha', steps)]), ['alpha', 'beta', 'gamma']);
    // All are as rare: (1, 0, 0), (1, 1, 0) / √2 and (1, 1, 1) / √3.
    const sums = [
      1 + Math.SQRT1_2 + 1 / Math.sqrt(3),
      Math.SQRT1_2 + 1 / Math.sqrt(3),
      1 / Math.sqrt(3),
    ];
    const length = Math.hypot(...sums);
    for (const [at, word] of ['alpha', 'beta', 'gamma'].entries()) {
      expect(row?.[word]).toBeCloseTo(sums[at] / length, 12);
    }
  });

  it('counts a word by 1 + ln of how often it stands there, up to 65,535 times', () => {
    const ratio = (times: number): number => {
      const [row] = byWord(corpusVectors([traceOf(`${'a '.repeat(times)}b`)]), ['a', 'b']);
      return (row?.a as number) / (row?.b as number);
    };
    expect(ratio(3)).toBeCloseTo(1 + Math.log(3), 9);
    expect(ratio(65_535)).toBeCloseTo(1 + Math.log(65_535), 9);
    expect(ratio(65_536)).toBeCloseTo(1 + Math.log(65_535), 9);
    expect(ratio(70_000)).toBeCloseTo(1 + Math.log(65_535), 9);
  });

  it('says what it is, and how many words there are', () => {
    const vectors = corpusVectors([traceOf('b a'), traceOf('c a'), traceOf('')]);
    expect(vectors).toMatchObject({ kind: 'sparse', id: 'corpus-words/1', dimensions: 3 });
    expect(vectors.rows.map(({ indices }) => [...indices])).toEqual([[0, 1], [0, 2], []]);
    const [first] = byWord(vectors, ['a', 'b', 'c']);
    // a stands in two of three, b in one: ln(4/2)^1.5 against ln(4/1)^1.5.
    const expected = (Math.log(2) / Math.log(4)) ** 1.5;
    expect((first?.a as number) / (first?.b as number)).toBeCloseTo(expected, 12);
    expect(createCorpusVectorizer().vectors()).toMatchObject({ dimensions: 0, rows: [] });
  });
});

describe('taskView', () => {
  it('takes values of every depth, and what a tool was given as text', () => {
    const steps = [
      { type: 'tool_call', tool: { name: 'x' }, input: [0, false, null, { a: ['deep'] }] },
      { type: 'tool_call', tool: { name: 'x' }, content: 'as text' },
      { type: 'tool_call', tool: { name: 'x' }, input: {} },
    ];
    expect(taskView(traceOf('Do it', steps))).toEqual({
      objective: 'Do it',
      asked: 'Do it',
      task: 'Do it\n0\nfalse\ndeep\nas text',
    });
  });

  it.each([
    [{ type: 'thought', content: 'said', 'kp:source': { role: 'user' } }, 'Do it'],
    [{ type: 'observation', content: 'said', 'kp:source': null }, 'Do it'],
    [{ type: 'observation', content: 'said', 'kp:source': 'user' }, 'Do it'],
    [{ type: 'observation', content: 'said', 'kp:source': { role: 1 } }, 'Do it'],
    [{ type: 'observation', content: 'said' }, 'Do it'],
    [{ type: 'observation', 'kp:source': { role: 'user' } }, 'Do it\n'],
    [{ type: 'observation', content: 'said', 'kp:source': { role: 'user' } }, 'Do it\nsaid'],
  ])('of %j', (step, asked) => {
    expect(taskView(traceOf('Do it', [step])).asked).toBe(asked);
  });
});

describe('countWords', () => {
  it('counts words and pairs that stand there more than once', () => {
    expect([...countWords('漢字v2 漢字漢字 v2 v2')]).toEqual([
      ['v2', 3],
      ['漢字', 3],
      ['字漢', 1],
    ]);
    expect([...countWords('版 版')]).toEqual([['版', 2]]);
    expect([...countWords(' , ')]).toEqual([]);
  });

  it('takes letters put together from parts for the letters they are', () => {
    expect([...countWords('cafe\u0301 CAF\u00c9')]).toEqual([['caf\u00e9', 2]]);
  });
});

describe('contentKey', () => {
  it('is SHA-256 over what was asked, done and come to', async () => {
    const steps = [
      { type: 'thought', content: 'Start', step_id: 4 },
      { type: 'tool_call', tool: { name: 'x', version: 1 }, input: { a: 1 }, output_summary: 'y' },
    ];
    const content =
      '["Do it","Done",[["thought","Start",null,null,null],["tool_call",null,"x",{"a":1},"y"]]]';
    const digest = createHash('sha256').update(content).digest('hex');
    expect(await contentKey(traceOf('Do it', steps))).toBe(digest);
  });
});
