import { describe, expect, it } from 'bun:test';
import { assembleAnswer } from './streamed-answer.ts';

const sse = (...events: readonly object[]): string =>
  events.map((event) => `event: x\ndata: ${JSON.stringify(event)}\n`).join('\n');
const delta = (value: object): object => ({ id: 'a', model: 'm', choices: [{ delta: value }] });
const call = (index: number, fields: object): object => ({ index, function: fields });

describe('assembleAnswer', () => {
  it('joins the text, the reasoning and parallel calls of a chat', () => {
    const stream = sse(
      delta({ reasoning_content: 'Loo' }),
      delta({ reasoning_content: 'k.' }),
      delta({ content: 'I ' }),
      delta({
        content: 'look.',
        tool_calls: [{ id: 'c1', ...call(0, { name: 'f', arguments: '' }) }],
      }),
      delta({
        tool_calls: [
          call(0, { arguments: '{"a"' }),
          { id: 'c2', ...call(1, { name: 'g', arguments: '{}' }) },
        ],
      }),
      delta({ tool_calls: [call(0, { arguments: ':1}' })] }),
      { choices: [], usage: { prompt_tokens: 1 } },
    );
    expect(assembleAnswer(`${stream}\ndata: [DONE]\ndata: {"cut`)).toEqual({
      id: 'a',
      model: 'm',
      usage: { prompt_tokens: 1 },
      choices: [
        {
          message: {
            role: 'assistant',
            content: [
              { type: 'reasoning', text: 'Look.' },
              { type: 'text', text: 'I look.' },
            ],
            tool_calls: [
              { id: 'c1', function: { name: 'f', arguments: '{"a":1}' } },
              { id: 'c2', function: { name: 'g', arguments: '{}' } },
            ],
          },
        },
      ],
    });
  });

  it('joins the blocks of Anthropic', () => {
    const stream = sse(
      { type: 'message_start', message: { id: 'm1', model: 'claude', content: [] } },
      { type: 'content_block_start', index: 0, content_block: { type: 'text', text: '' } },
      { type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text: 'Hi.' } },
      {
        type: 'content_block_start',
        index: 1,
        content_block: { type: 'tool_use', id: 'c1', name: 'f', input: {} },
      },
      {
        type: 'content_block_delta',
        index: 1,
        delta: { type: 'input_json_delta', partial_json: '{"a":' },
      },
      {
        type: 'content_block_delta',
        index: 1,
        delta: { type: 'input_json_delta', partial_json: '1}' },
      },
      { type: 'content_block_delta', index: 7, delta: { type: 'text_delta', text: 'lost' } },
    );
    expect(assembleAnswer(stream)).toEqual({
      id: 'm1',
      model: 'claude',
      role: 'assistant',
      content: [
        { type: 'text', text: 'Hi.' },
        { type: 'tool_use', id: 'c1', name: 'f', input: '{"a":1}' },
      ],
    });
  });

  it('joins the chunks of Gemini, but not thoughts with speech', () => {
    const chunk = (...parts: object[]): object => ({
      candidates: [{ content: { role: 'model', parts } }],
    });
    const chunks = [
      chunk({ text: 'Hm', thought: true }),
      chunk({ text: 'The' }),
      chunk({ text: ' end.' }),
    ];
    expect(assembleAnswer(JSON.parse(JSON.stringify(chunks)))).toEqual({
      model: null,
      candidates: [
        {
          content: { role: 'model', parts: [{ text: 'Hm', thought: true }, { text: 'The end.' }] },
        },
      ],
    });
  });

  it('uses the response in the last event of the Responses API', () => {
    const response = { id: 'r1', output: [] };
    expect(assembleAnswer(sse({ type: 'response.completed', response }))).toEqual(response);
  });

  it.each([
    ['', undefined],
    ['data: {}', undefined],
    [null, undefined],
    [[{ a: 1 }], undefined],
  ])('finds no answer in %j', (stream, answer) => {
    expect(assembleAnswer(stream as string)).toBe(answer as undefined);
  });

  it.each([
    [
      'Anthropic',
      [
        { type: 'content_block_start', index: 0, content_block: { type: 'text', text: 'I lo' } },
        { type: 'error', error: { type: 'overloaded_error', message: 'Overloaded' } },
      ],
      {
        role: 'assistant',
        content: [{ type: 'text', text: 'I lo' }],
        error: { type: 'overloaded_error', message: 'Overloaded' },
      },
    ],
    [
      'a chat',
      [delta({ content: 'I lo' }), { error: { code: 502, message: 'Gone.' } }],
      {
        id: 'a',
        model: 'm',
        usage: null,
        choices: [{ message: { role: 'assistant', content: 'I lo', tool_calls: [] } }],
        error: { code: 502, message: 'Gone.' },
      },
    ],
    [
      'the Responses API, before anything else',
      [{ type: 'error', code: 'server_error', message: 'No.', sequence_number: 0 }],
      { error: { code: 'server_error', message: 'No.', sequence_number: 0 } },
    ],
  ])('keeps the error that broke off an answer of %s', (_name, events, expected) => {
    expect(assembleAnswer(sse(...events))).toEqual(expected as never);
  });

  it('reads no error from other objects with such a field', () => {
    expect(assembleAnswer([{ type: 'item', error: { message: 'No.' } }])).toBeUndefined();
  });
});
