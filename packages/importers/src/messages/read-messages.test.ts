import { describe, expect, it } from 'bun:test';
import type { JsonValue } from '../json/json-value.ts';
import { asText } from './content.ts';
import { readMessages } from './read-messages.ts';

const part = (value: JsonValue): unknown =>
  readMessages({ role: 'assistant', parts: [value] })[0]?.parts[0];
const text = (words: string) => ({ kind: 'text', text: words });
const call = (fields: object = {}) => ({
  kind: 'call',
  id: undefined,
  name: undefined,
  arguments: undefined,
  ...fields,
});
const result = (content: string, fields: object = {}) => ({
  kind: 'result',
  id: undefined,
  content,
  error: undefined,
  ...fields,
});

describe('a part of a message', () => {
  it.each([
    ['a', text('a')],
    [1, text('1')],
    [null, text('null')],
    [{ type: 'text', text: 'a' }, text('a')],
    [{ type: 'text', content: 'a', text: 'b' }, text('a')],
    [
      { type: 'reasoning', text: 'a' },
      { kind: 'reasoning', text: 'a' },
    ],
    [
      { type: 'thinking', thinking: 'a' },
      { kind: 'reasoning', text: 'a' },
    ],
    [
      { text: 'a', thought: true },
      { kind: 'reasoning', text: 'a' },
    ],
    [{ text: 'a', thought: false }, text('a')],
    [{ reasoning: 'a' }, text('a')],
    [{ type: 'image' }, { kind: 'other', type: 'image' }],
    [
      { type: 'compaction', text: 'a' },
      { kind: 'other', type: 'compaction' },
    ],
    [
      { function_call: { id: 'c', name: 'f', args: 1 } },
      call({ id: 'c', name: 'f', arguments: 1 }),
    ],
    [{ functionCall: { name: 'f', arguments: 1 } }, call({ name: 'f', arguments: 1 })],
    [
      { toolUse: { toolUseId: 'c', name: 'f', input: 1 } },
      call({ id: 'c', name: 'f', arguments: 1 }),
    ],
    [{ toolResult: { toolUseId: 'c', content: [] } }, result('', { id: 'c' })],
    [{ toolResult: { status: 'error', content: 'a' } }, result('a', { error: 'flag' })],
    [{ toolResult: { status: 'success', content: [{ document: {} }] } }, result('[file]')],
    [{ reasoningContent: { reasoningText: { text: 'a' } } }, { kind: 'reasoning', text: 'a' }],
    [{ reasoningContent: {} }, { kind: 'other', type: 'redacted_thinking' }],
    [{ function_response: { id: 'c', response: 'a' } }, result('a', { id: 'c' })],
    [
      { functionResponse: { response: { error: 'a' } } },
      result('{"error":"a"}', { error: 'flag' }),
    ],
    [{ functionResponse: { response: { error: 0 } } }, result('{"error":0}', { error: 'flag' })],
    [{ functionResponse: { response: {} } }, result('{}')],
    [
      { type: 'server_tool_call', id: 'c', name: 'f', server_tool_call: 1 },
      call({ id: 'c', name: 'f', arguments: 1 }),
    ],
    [
      { type: 'server_tool_call_response', id: 'c', server_tool_call_response: 1 },
      result('1', { id: 'c' }),
    ],
    ...['tool_call', 'tool-call', 'tool_use', 'server_tool_use', 'mcp_tool_use', 'toolCall'].map(
      (type) => [
        {
          type,
          id: 'c',
          toolCallId: 'd',
          name: 'f',
          toolName: 'g',
          arguments: 1,
          input: 2,
          args: 3,
        },
        call({ id: 'c', name: 'f', arguments: 1 }),
      ],
    ),
    [
      { type: 'tool-call', toolCallId: 'd', toolName: 'g', input: 2, args: 3 },
      call({ id: 'd', name: 'g', arguments: 2 }),
    ],
    [{ type: 'tool-call', args: 3 }, call({ arguments: 3 })],
    ...['tool_call_response', 'tool-result', 'tool_result', 'mcp_tool_result'].map((type) => [
      {
        type,
        id: 'c',
        toolCallId: 'd',
        tool_use_id: 'e',
        response: 'a',
        result: 'b',
        output: 'c',
        content: 'd',
      },
      result('a', { id: 'c' }),
    ]),
    [
      { type: 'tool_result', toolCallId: 'd', tool_use_id: 'e', result: 'b', output: 'c' },
      result('b', { id: 'd' }),
    ],
    [
      { type: 'tool_result', tool_use_id: 'e', output: 'c', content: 'd' },
      result('c', { id: 'e' }),
    ],
    [{ type: 'tool_result', content: 'd', is_error: true }, result('d', { error: 'flag' })],
    [{ type: 'tool_result', content: 'd', isError: true }, result('d', { error: 'flag' })],
    [{ type: 'tool_result', content: 'd', is_error: false, isError: false }, result('d')],
    [
      { type: 'x_tool_result', content: { type: 'x_error', text: 'd' } },
      result('d', { error: 'flag' }),
    ],
    [{ type: 'x_tool_result', content: { type: 'x', text: 'd' } }, result('d')],
    [{ type: 'tool_resulting', content: 'd' }, text('d')],
  ] as [JsonValue, unknown][])('of %j is %j', (value, expected) => {
    expect(part(value)).toEqual(expected);
  });
});

describe('readMessages', () => {
  it.each([
    [null, []],
    ['text', []],
    [{ role: 'user', content: 'a' }, [{ role: 'user', parts: [text('a')] }]],
    [[{ role: 'user', content: '' }, 'no message'], [{ role: 'user', parts: [] }]],
    [
      { role: 'user', content: null, parts: [{ text: 'b' }] },
      [{ role: 'user', parts: [text('b')] }],
    ],
    [{ role: 'user', content: ['a', 'b'] }, [{ role: 'user', parts: [text('a'), text('b')] }]],
    [{ role: 'model', content: 'a' }, [{ role: 'assistant', parts: [text('a')] }]],
    [{ message: { role: 'user', content: 'a' } }, [{ role: 'user', parts: [text('a')] }]],
    [{ role: 'user', message: { content: 'a' } }, [{ role: 'user', parts: [text('a')] }]],
    [{ role: 'user', message: 'a' }, [{ role: 'user', parts: [text('a')] }]],
    [
      {
        role: 'assistant',
        content: 'a',
        tool_calls: [{ id: 'c', function: { name: 'f', arguments: 1 } }, 'none'],
      },
      [{ role: 'assistant', parts: [text('a'), call({ id: 'c', name: 'f', arguments: 1 })] }],
    ],
    [
      {
        role: 'assistant',
        tool_calls: [
          { toolCallId: 'c', toolName: 'f', input: 1 },
          { name: 'g', args: 2 },
        ],
      },
      [
        {
          role: 'assistant',
          parts: [call({ id: 'c', name: 'f', arguments: 1 }), call({ name: 'g', arguments: 2 })],
        },
      ],
    ],
    [
      { role: 'tool', id: 'c', content: 'a' },
      [{ role: 'tool', parts: [result('a', { id: 'c' })] }],
    ],
    [
      { role: 'tool', tool_call_id: 'c', id: 'd', content: ['a', 'b'] },
      [{ role: 'tool', parts: [result('a\nb', { id: 'c' })] }],
    ],
    [
      { role: 'tool', content: [{ type: 'tool_result', content: 'a' }] },
      [{ role: 'tool', parts: [result('a')] }],
    ],
    [{ role: 'tool', content: null }, [{ role: 'tool', parts: [result('')] }]],
  ] as [JsonValue, unknown][])('reads from %j the messages %j', (value, expected) => {
    expect(readMessages(value)).toEqual(expected as never);
  });
});

describe('asText', () => {
  it.each([
    [undefined, ''],
    [null, ''],
    [1, '1'],
    [{ a: 1 }, '{"a":1}'],
    [{ type: 'image' }, '[image]'],
    [['a', { text: 'b' }], 'a\nb'],
  ])('of %j is %j', (value, expected) => {
    expect(asText(value as JsonValue)).toBe(expected);
  });
});
