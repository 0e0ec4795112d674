import { describe, expect, it } from 'bun:test';
import { readPythonCall } from './python-call.ts';

describe('readPythonCall', () => {
  it('reads texts in either quote, and their escapes', () => {
    const text = String.raw`{'name': 'f', 'arguments': '{\n  "a": "it\'s"\n}', 'response': "it's \xe9\u2713\U0001f600\\ \q"}`;
    expect(readPythonCall(text)).toEqual({
      name: 'f',
      given: '{\n  "a": "it\'s"\n}',
      response: "it's é✓😀\\ q",
    });
  });

  it.each([
    ['', { name: '', given: '', response: '' }],
    ['Thought', { name: '', given: '', response: '' }],
    ["{'name': 'f', 'arguments': None}", { name: 'f', given: '', response: '' }],
    ["{'name': 'f', 'arguments': '{\"a\"", { name: 'f', given: '{"a"', response: '' }],
    [
      String.raw`{'name': '\U99999999\x'}`,
      { name: String.raw`\U99999999x`, given: '', response: '' },
    ],
  ])('reads what is there: %j', (text, call) => {
    expect(readPythonCall(text)).toEqual(call);
  });
});
