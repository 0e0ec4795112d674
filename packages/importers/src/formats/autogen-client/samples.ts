import type { ImporterSample } from '../../importer/importer.ts';

const asked = [
  { type: 'SystemMessage', content: 'Be brief.' },
  { type: 'UserMessage', source: 'User', content: 'What is the weather in Oslo?' },
];
const calls = [{ id: 'c1', name: 'get_weather', arguments: '{"city":"Oslo"}' }];
const response = (content: unknown, thought: string | null): object => ({
  finish_reason: 'stop',
  content,
  usage: { prompt_tokens: 9, completion_tokens: 3 },
  cached: false,
  logprobs: null,
  thought,
});

export const samples: readonly ImporterSample[] = [
  {
    name: 'a session of two calls',
    text: JSON.stringify([
      { mode: 'create', messages: asked, response: response(calls, 'I have to look.'), stream: [] },
      {
        mode: 'create',
        messages: [
          ...asked,
          { type: 'AssistantMessage', source: 'agent', content: calls, thought: 'I have to look.' },
          {
            type: 'FunctionExecutionResultMessage',
            content: [
              { call_id: 'c1', name: 'get_weather', content: 'no such city', is_error: true },
            ],
          },
        ],
        response: response('It rains.', null),
        stream: [],
      },
    ]),
    outline: [
      'asked What is the weather in Oslo?',
      'thought I have to look.',
      'tool_call get_weather {"city":"Oslo"}',
      'observation no such city',
      'error_recovery It rains.',
      'framework autogen',
      'source {}',
      'step 1: c1',
      'step 2: c1, flag',
    ],
  },
];
