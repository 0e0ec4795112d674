import { describe, expect, it } from 'bun:test';
import { runInNewContext } from 'node:vm';
import type { Embedder } from '@kp/embedder';
import { traceWith } from '../../test/traces.ts';
import { embeddedText, embedTrace, type TraceEmbedding, traceText } from './embed-trace.ts';
import { createLazySignal } from './lazy-signal.ts';

const trace = traceWith({
  objective: 'goal',
  steps: [
    { step_id: 0, type: 'thought', content: 'one' },
    { step_id: 1, type: 'tool_call', tool: { name: 'x' }, output_summary: 'not this' },
    { step_id: 2, type: 'observation', content: '' },
    { step_id: 3, type: 'observation', content: 'two\nlines' },
  ],
});

it('traceText joins the objective and the contents with spaces', () => {
  expect(traceText(trace)).toBe('goal one two\nlines');
});

it('embeddedText marks where the content of each step begins', () => {
  const { text, boundaries } = embeddedText(trace.task.objective, trace.steps, trace.steps.length);
  expect(boundaries.map((index) => text.slice(index, index + 3))).toEqual(['one', 'two']);
});

describe('embedTrace', () => {
  const vector = Float32Array.of(0.6, 0.8);
  const embedding = { vector, truncated: false };
  const asked: unknown[] = [];

  function answering(answer: unknown): Promise<TraceEmbedding> {
    const embedder: Embedder = {
      id: 'by-hand',
      dimensions: 2,
      async embed(texts, options) {
        asked.push([...texts, options?.boundaries, options?.signal]);
        return answer as never;
      },
    };
    return embedTrace(embedder, { text: 'goal one', boundaries: [5] }, createLazySignal());
  }

  it('passes one text, with its boundaries and a signal', async () => {
    await answering([embedding]);
    expect(asked).toEqual([['goal one', [[5]], expect.any(AbortSignal)]]);
  });

  it.each([
    [{}, { truncated: false, tokens: undefined, chunks: undefined }],
    [
      { truncated: true, tokens: 7, chunks: 2 },
      { truncated: true, tokens: 7, chunks: 2 },
    ],
    [
      { truncated: 1, tokens: '7', chunks: null },
      { truncated: false, tokens: undefined, chunks: undefined },
    ],
  ])('reads the fields of the right type from %p', async (fields, taken) => {
    expect(await answering([{ ...embedding, ...fields }])).toStrictEqual({
      vector,
      empty: false,
      ...taken,
    });
  });

  it('copies the vector, also one of another realm', async () => {
    const reused = Float32Array.of(0.6, 0.8);
    const taken = await answering([{ vector: reused, truncated: false }]);
    reused.fill(0);
    expect(taken.vector).toEqual(Float32Array.of(0.6, 0.8));
    const foreign: unknown = runInNewContext('Float32Array.of(0.6, 0.8)');
    const { vector: own } = await answering([{ vector: foreign, truncated: false }]);
    expect(foreign).not.toBeInstanceOf(Float32Array);
    expect(own).toBeInstanceOf(Float32Array);
  });

  it('marks only a vector of zeros as empty', async () => {
    for (const [values, empty] of [
      [[0, 0], true],
      [[0, -0], true],
      [[1e-10, 0], false],
      [[0, -1], false],
      [[0.5, -0.5], false],
    ] as const) {
      expect((await answering([{ vector: Float32Array.from(values) }])).empty).toBe(empty);
    }
  });

  const expected = '1 embedding with a Float32Array as vector';
  it.each([
    ['none', [], `${expected}, received 0 entries`],
    ['two', [embedding, embedding], `${expected}, received 2 entries`],
    ['null', null, `${expected}, received null`],
    [
      'a value that only looks like a list',
      { length: 1, 0: embedding },
      `${expected}, received an object`,
    ],
    ['an embedding beside the list', Object.assign([], embedding), `${expected}, received 0 entr`],
    [
      'doubles',
      [{ vector: Float64Array.of(0.6, 0.8) }],
      `${expected}, received an object of class Float64Array as vector`,
    ],
    ['no vector', [{}], `${expected}, received nothing as vector`],
    ['the vector itself', [vector], `${expected}, received nothing as vector`],
    [
      'a value that only claims to be a Float32Array',
      [{ vector: { length: 2, [Symbol.toStringTag]: 'Float32Array' } }],
      `${expected}, received an object as vector`,
    ],
    ['one value', [{ vector: Float32Array.of(1) }], '2 dimensions, received 1'],
    [
      'infinity',
      [{ vector: Float32Array.of(1, -Infinity) }],
      'finite values, received -Infinity at 1',
    ],
    ['NaN', [{ vector: Float32Array.of(NaN, 1) }], 'finite values, received NaN at 0'],
  ])('rejects %s', async (_, answer, message) => {
    await expect(answering(answer)).rejects.toThrow(`embedder by-hand: expected ${message}`);
  });
});
