import type { ImporterSample } from '../../importer/importer.ts';

const OBJECTIVE = 'What is the weather in Oslo?';
const ASKED = 'tool_call get_weather {"city":"Oslo"}';
const USER = { role: 'user', content: OBJECTIVE };

export const samples: readonly ImporterSample[] = [
  {
    name: 'one run',
    text: JSON.stringify({
      task_id: 'x',
      Question: OBJECTIVE,
      messages: [
        USER,
        {
          role: 'assistant',
          content: 'I have to look.',
          tool_calls: [
            {
              id: 'c1',
              type: 'function',
              function: {
                name: 'execute-tool',
                arguments: JSON.stringify({
                  server_name: 'weather',
                  tool_name: 'get_weather',
                  params: { city: 'Oslo' },
                }),
              },
            },
          ],
        },
        { role: 'tool', tool_call_id: 'c1', content: 'no such city isError=True' },
        { role: 'assistant', content: 'It rains.' },
      ],
    }),
    outline: [
      `asked ${OBJECTIVE}`,
      'thought I have to look.',
      ASKED,
      'observation no such city isError=True',
      'error_recovery It rains.',
      'framework livemcpbench',
      'source {"task_id":"x"}',
      'task x',
      'step 1: c1',
      'step 2: c1, flag',
    ],
  },
];
