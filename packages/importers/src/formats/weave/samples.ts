import type { ImporterSample } from '../../importer/importer.ts';

const asked = { role: 'user', content: 'What is the weather in Oslo?' };
const requested = {
  role: 'assistant',
  content: 'I have to look.',
  tool_calls: [
    { id: 'c1', type: 'function', function: { name: 'get_weather', arguments: '{"city":"Oslo"}' } },
  ],
};
const call = (id: string, op: string, second: number, fields: object): object => ({
  id,
  project_id: 'e/p',
  op_name: `weave:///e/p/op/${op}:Xk3`,
  trace_id: 't1',
  parent_id: id === 'a' ? null : 'a',
  started_at: `2026-01-02T03:04:0${second}Z`,
  ended_at: `2026-01-02T03:04:0${second + 1}Z`,
  attributes: {},
  exception: null,
  ...fields,
});

export const samples: readonly ImporterSample[] = [
  {
    name: 'the calls of a trace, one per line',
    text: [
      call('a', 'Agent.run', 0, {
        inputs: { question: 'What is the weather in Oslo?' },
        output: 'It rains.',
        summary: { usage: { 'gpt-4o': { prompt_tokens: 20, completion_tokens: 5, requests: 2 } } },
      }),
      call('b', 'openai.chat.completions.create', 1, {
        inputs: { model: 'gpt-4o', messages: [asked] },
        output: { choices: [{ message: requested, finish_reason: 'tool_calls' }] },
      }),
      call('c', 'get_weather', 2, {
        attributes: { weave: { kind: 'tool' } },
        inputs: { city: 'Oslo' },
        output: null,
        exception: 'ValueError: no such city',
      }),
      call('d', 'openai.chat.completions.create', 3, {
        inputs: {
          model: 'gpt-4o',
          messages: [
            asked,
            requested,
            { role: 'tool', tool_call_id: 'c1', content: 'ValueError: no such city' },
          ],
        },
        output: { choices: [{ message: { role: 'assistant', content: 'It rains.' } }] },
      }),
    ]
      .map((value) => JSON.stringify(value))
      .join('\n'),
    outline: [
      'asked What is the weather in Oslo?',
      'thought I have to look.',
      'tool_call get_weather {"city":"Oslo"}',
      'observation ValueError: no such city',
      'error_recovery It rains.',
      'recorded at 2026-01-02T03:04:01.000Z',
      'agent Agent.run',
      'framework weave',
      'source {"trace_id":"t1"}',
      'model gpt-4o',
      'step 1: c1, 1000 ms',
      'step 2: c1, flag',
    ],
  },
];
