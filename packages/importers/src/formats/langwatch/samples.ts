import type { ImporterSample } from '../../importer/importer.ts';

const asked = { role: 'user', content: 'What is the weather in Oslo?' };
const requested = {
  role: 'assistant',
  content: 'I have to look.',
  tool_calls: [
    { id: 'c1', type: 'function', function: { name: 'get_weather', arguments: '{"city":"Oslo"}' } },
  ],
};
const span = (id: string, type: string, second: number, fields: object): object => ({
  span_id: id,
  parent_id: id === 'a' ? null : 'a',
  trace_id: 't1',
  type,
  name: type,
  timestamps: {
    started_at: 1767323045000 + second * 1000,
    finished_at: 1767323046000 + second * 1000,
  },
  error: null,
  ...fields,
});
const chat = (...value: object[]): object => ({ type: 'chat_messages', value });

export const samples: readonly ImporterSample[] = [
  {
    name: 'a trace with its spans',
    text: JSON.stringify({
      trace_id: 't1',
      project_id: 'p1',
      metadata: { thread_id: 'th1', user_id: 'u1' },
      input: { value: 'What is the weather in Oslo?' },
      evaluations: [{ name: 'Correct answer', status: 'processed', passed: false, score: 0 }],
      spans: [
        span('a', 'agent', 0, { name: 'agent' }),
        span('b', 'llm', 1, {
          model: 'openai/gpt-4o',
          input: chat(asked),
          output: chat(requested),
          metrics: { prompt_tokens: 9, completion_tokens: 3, cost: 0.01 },
        }),
        span('c', 'tool', 2, {
          name: 'get_weather',
          input: { type: 'json', value: { city: 'Oslo' } },
          output: null,
          error: { has_error: true, message: 'no such city', stacktrace: [] },
        }),
        span('d', 'llm', 3, {
          input: chat(asked, requested, {
            role: 'tool',
            tool_call_id: 'c1',
            content: 'no such city',
          }),
          output: { type: 'text', value: 'It rains.' },
        }),
      ],
    }),
    outline: [
      'asked What is the weather in Oslo?',
      'thought I have to look.',
      'tool_call get_weather {"city":"Oslo"}',
      'observation no such city',
      'error_recovery It rains.',
      'recorded at 2026-01-02T03:04:06.000Z',
      'recorded false',
      'framework langwatch',
      'source {"trace_id":"t1"}',
      'verdict evaluations.Correct answer',
      'model openai/gpt-4o',
      'step 1: c1, 1000 ms',
      'step 2: c1, flag',
    ],
  },
];
