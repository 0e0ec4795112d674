import { describe, expect, it } from 'bun:test';
import type { JsonObject } from '../json/json-value.ts';
import { readResponseItem } from './response-items.ts';

describe('readResponseItem', () => {
  it.each(['c1', '', 7, undefined])('accepts %p as an id only if it is a name', (call_id) => {
    const given: JsonObject = call_id === undefined ? {} : { call_id };
    const items = [
      { type: 'function_call', name: 'look', arguments: '{}', ...given },
      { type: 'function_call_output', output: 'Rain.', ...given },
    ];
    const parts = items.flatMap((item) => readResponseItem(item)?.parts ?? []);
    const id = call_id === 'c1' ? 'c1' : undefined;
    expect(parts).toMatchObject([
      { kind: 'call', id },
      { kind: 'result', id },
    ]);
  });

  it.each([
    ['An error occurred while running the tool. Please try again.', 'text'],
    ['An error occurred while running the tool. Please try again. Error: no such city', 'text'],
    ['An error occurred while parsing tool arguments. Please try again with valid JSON.', 'text'],
    ["Tool 'weather' timed out after 500ms.", 'text'],
    ['No error occurred while running the tool.', undefined],
  ])('reads %p as an error: %p', (output, error) => {
    const item = {
      type: 'function_call_result',
      callId: 'c1',
      output: { type: 'text', text: output },
    };
    expect(readResponseItem(item)?.parts).toEqual([
      { kind: 'result', id: 'c1', content: output, error } as never,
    ]);
  });
});
