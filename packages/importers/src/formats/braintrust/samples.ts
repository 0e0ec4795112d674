import type { ImporterSample } from '../../importer/importer.ts';

const OBJECTIVE = 'What is the weather in Oslo?';
const asked = { role: 'user', content: OBJECTIVE };
const call = {
  id: 'c1',
  type: 'function',
  function: { name: 'get_weather', arguments: '{"city":"Oslo"}' },
};
const requested = { role: 'assistant', content: 'I have to look.', tool_calls: [call] };
const row = (id: string, type: string, name: string, second: number, fields: object): object => ({
  id,
  span_id: id,
  root_span_id: 'root',
  span_parents: id === 'root' ? [] : ['root'],
  span_attributes: { name, type },
  metrics: { start: 1767323045 + second, end: 1767323046 + second },
  ...fields,
});

export const samples: readonly ImporterSample[] = [
  {
    name: 'rows of one root span',
    text: [
      row('root', 'task', 'agent', 0, { input: OBJECTIVE, scores: { correctness: 1 } }),
      row('m1', 'llm', 'Chat Completion', 1, {
        input: [asked],
        output: [{ index: 0, finish_reason: 'tool_calls', message: requested }],
        metadata: { model: 'gpt-4o' },
        metrics: { start: 1767323046, end: 1767323047, prompt_tokens: 9, completion_tokens: 3 },
      }),
      row('t1', 'tool', 'get_weather', 2, {
        input: { city: 'Oslo' },
        error: 'no such city',
      }),
      row('m2', 'llm', 'Chat Completion', 3, {
        input: [asked, requested, { role: 'tool', tool_call_id: 'c1', content: 'no such city' }],
        output: [
          { index: 0, finish_reason: 'stop', message: { role: 'assistant', content: 'It rains.' } },
        ],
      }),
    ]
      .map((value) => JSON.stringify(value))
      .join('\n'),
    outline: [
      'asked What is the weather in Oslo?',
      'thought I have to look.',
      'tool_call get_weather {"city":"Oslo"}',
      'observation no such city',
      'error_recovery It rains.',
      'recorded at 2026-01-02T03:04:06.000Z',
      'recorded true',
      'framework braintrust',
      'source {"root_span_id":"root"}',
      'verdict scores.correctness',
      'model gpt-4o',
      'step 1: c1, 1000 ms',
      'step 2: c1, flag',
    ],
  },
  {
    name: 'logged payloads without span ids',
    text: JSON.stringify([
      { name: 'root', type: 'task', metadata: {}, metrics: { start: 0, end: 0 } },
      {
        name: 'anthropic.messages.create',
        type: 'llm',
        input: [asked],
        output: {
          role: 'assistant',
          content: [{ type: 'tool_use', id: 'c1', name: 'get_weather', input: { city: 'Oslo' } }],
        },
        metadata: { model: 'claude' },
        metrics: { start: 0, end: 0, prompt_tokens: 9, completion_tokens: 3 },
      },
    ]),
    outline: [
      'asked What is the weather in Oslo?',
      'tool_call get_weather {"city":"Oslo"}',
      'framework braintrust',
      'source {}',
      'model claude',
      'step 0: c1',
    ],
  },
];
