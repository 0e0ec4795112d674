import { describe, expect, it } from 'bun:test';
import type { JsonObject } from '../../json/json-value.ts';
import { apiTrafficImporter } from './api-traffic.ts';

const SENT = { role: 'user', content: 'Go.' };
const CHAT = { choices: [{ message: { role: 'assistant', content: 'Of a chat.' } }] };
const RESPONSE = {
  output: [
    { type: 'message', role: 'assistant', content: [{ type: 'output_text', text: 'Of it.' }] },
  ],
};

function read(request: JsonObject, response: JsonObject): unknown {
  const exchange = { uri: 'https://api.example/v1', method: 'POST', request, response };
  const [run] = [...apiTrafficImporter.read([exchange])];
  if (run === undefined || run instanceof Error) throw new Error('expected a run');
  return run.steps.map((step) => [run.objective, step.content]);
}

describe('the API of an exchange', () => {
  const CASES: [name: string, JsonObject, JsonObject, unknown][] = [
    ['Responses, by its input', { input: 'Go.' }, RESPONSE, [['Go.', 'Of it.']]],
    ['Responses, by its output alone', { messages: [SENT] }, RESPONSE, [[undefined, 'Of it.']]],
    ['a chat, by its messages', { messages: [SENT], input: 'x' }, CHAT, [['Go.', 'Of a chat.']]],
    ['a chat, by its answer alone', {}, CHAT, [[undefined, 'Of a chat.']]],
  ];
  it.each(CASES)('is detected: %s', (_name, request, response, expected) => {
    expect(read(request, response)).toEqual(expected);
  });

  it('is Responses if the request has an input, even without such an answer', () => {
    expect(() => read({ input: 'Go.' }, CHAT)).toThrow('expected answers that are recorded');
    expect(() => read({ input: '' }, CHAT)).toThrow('expected calls of a model');
  });
});
