import type { ImporterSample } from '../../importer/importer.ts';

const asked = { role: 'user', content: 'What is the weather in Oslo?' };
const requested = {
  role: 'assistant',
  content: 'I have to look.',
  tool_calls: [
    { id: 'c1', type: 'function', function: { name: 'get_weather', arguments: '{"city":"Oslo"}' } },
  ],
};
const request = (id: string, second: number, fields: object): object => ({
  request_id: id,
  response_id: `${id}-response`,
  request_created_at: `2026-01-02T03:04:0${second}Z`,
  response_created_at: `2026-01-02T03:04:0${second + 1}Z`,
  response_status: 200,
  request_model: 'gpt-4o',
  request_user_id: 'u1',
  request_properties: { 'Helicone-Session-Id': 's1' },
  provider: 'OPENAI',
  delay_ms: 1000,
  prompt_tokens: 9,
  completion_tokens: 3,
  ...fields,
});

export const samples: readonly ImporterSample[] = [
  {
    name: 'the requests of a session',
    text: [
      request('b', 3, {
        request_body: {
          model: 'gpt-4o',
          messages: [asked, requested, { role: 'tool', tool_call_id: 'c1', content: 'Rain.' }],
        },
        response_body: { choices: [{ message: { role: 'assistant', content: 'It rains.' } }] },
      }),
      request('a', 1, {
        request_body: { model: 'gpt-4o', messages: [asked] },
        response_body: { choices: [{ message: requested }] },
      }),
    ]
      .map((value) => JSON.stringify(value))
      .join('\n'),
    outline: [
      'asked What is the weather in Oslo?',
      'thought I have to look.',
      'tool_call get_weather {"city":"Oslo"}',
      'observation Rain.',
      'thought It rains.',
      'recorded at 2026-01-02T03:04:01.000Z',
      'framework helicone',
      'source {"session_id":"s1"}',
      'model gpt-4o',
      'step 1: c1',
      'step 2: c1',
    ],
  },
];
