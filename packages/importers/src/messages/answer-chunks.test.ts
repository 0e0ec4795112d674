import { describe, expect, it } from 'bun:test';
import type { JsonObject } from '../json/json-value.ts';
import { assembleAnswers, isAnswerChunk } from './answer-chunks.ts';

const chat = (id: string, content: string): { [field: string]: never } =>
  ({ id, object: 'chat.completion.chunk', choices: [{ delta: { content } }] }) as never;

describe('isAnswerChunk', () => {
  it.each([
    [{ type: 'message_start', message: {} }, true],
    [{ type: 'ping' }, true],
    [{ type: 'message_start', session_id: 's' }, false],
    [{ type: 'response.created', response: {} }, true],
    [{ type: 'response.output_text.delta', delta: 'a' }, true],
    [{ type: 'response.done' }, false],
    [chat('a', 'b'), true],
    [{ object: 'chat.completion', choices: [] }, false],
    [{ candidates: [], responseId: 'r' }, true],
    [{ candidates: [] }, false],
    [{ contentBlockDelta: {} }, true],
    [{ metadata: {}, messages: [] }, false],
    [{}, false],
    [null, false],
  ])('of %j is %p', (value, expected) => {
    expect(isAnswerChunk(value)).toBe(expected);
  });
});

describe('assembleAnswers', () => {
  it('starts an answer with each new id', () => {
    const answers = assembleAnswers([chat('a', 'It '), chat('a', 'rains.'), chat('b', 'No.')]);
    expect(answers.map(({ choices }) => choices)).toMatchObject([
      [{ message: { content: 'It rains.' } }],
      [{ message: { content: 'No.' } }],
    ]);
  });

  it('starts an answer with each first event, and after each last one', () => {
    const start = {
      type: 'content_block_start',
      index: 0,
      content_block: { type: 'text', text: 'a' },
    };
    const stream: JsonObject[] = [
      { type: 'message_start', message: {} },
      start,
      { type: 'message_stop' },
    ];
    expect(assembleAnswers([...stream, ...stream, start])).toHaveLength(3);
    const done = { type: 'response.completed', response: { output: [] } };
    expect(assembleAnswers([done, done])).toEqual([{ output: [] }, { output: [] }]);
  });

  it('is empty without events', () => expect(assembleAnswers([])).toEqual([]));
});
