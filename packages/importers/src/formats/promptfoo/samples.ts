import type { ImporterSample } from '../../importer/importer.ts';

const result = (test: number, fields: object): object => ({
  id: `r${test}`,
  promptIdx: 0,
  testIdx: test,
  testCase: { vars: { city: 'Oslo' }, assert: [{ type: 'contains', value: 'rain' }] },
  promptId: 'p',
  provider: { id: 'openai:gpt-4o', label: '' },
  prompt: { raw: 'What is the weather in Oslo?', label: 'weather' },
  vars: { city: 'Oslo' },
  success: true,
  score: 1,
  failureReason: 0,
  latencyMs: 1200,
  cost: 0.01,
  ...fields,
});

export const samples: readonly ImporterSample[] = [
  {
    name: 'the results of an evaluation',
    text: JSON.stringify({
      evalId: 'eval-1',
      results: {
        version: 3,
        timestamp: '2026-01-02T03:04:05.000Z',
        prompts: [],
        results: [
          result(0, {
            response: {
              output: 'It rains.',
              tokenUsage: { total: 12, prompt: 9, completion: 3 },
              metadata: {
                toolCalls: [
                  {
                    id: 'c1',
                    name: 'get_weather',
                    input: { city: 'Oslo' },
                    output: 'no such city',
                    is_error: true,
                  },
                ],
              },
            },
          }),
          result(1, {
            success: false,
            score: 0,
            failureReason: 1,
            prompt: {
              raw: '[{"role":"system","content":"Be brief."},{"role":"user","content":"Weather?"}]',
              label: 'chat',
            },
            response: {
              output: [
                {
                  id: 'c2',
                  type: 'function',
                  function: { name: 'get_weather', arguments: '{"city":"Oslo"}' },
                },
              ],
            },
          }),
        ],
        stats: { successes: 1, failures: 1, errors: 0 },
      },
      config: {},
    }),
    outline: [
      'asked What is the weather in Oslo?',
      'tool_call get_weather {"city":"Oslo"}',
      'observation no such city',
      'error_recovery It rains.',
      'recorded true',
      'framework promptfoo',
      'source {"eval_id":"eval-1","test":0,"prompt":0}',
      'verdict success',
      'task test 0',
      'model openai:gpt-4o',
      'step 0: c1',
      'step 1: c1, flag',
      'asked Weather?',
      'tool_call get_weather {"city":"Oslo"}',
      'recorded false',
      'framework promptfoo',
      'source {"eval_id":"eval-1","test":1,"prompt":0}',
      'verdict success',
      'task test 1',
      'model openai:gpt-4o',
      'step 0: c2',
    ],
  },
];
