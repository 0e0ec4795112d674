import type { ImporterSample } from '../../importer/importer.ts';

const MESSAGES = [
  {
    id: 'm1',
    role: 'user',
    created: 1767323045,
    content: [{ type: 'text', text: 'What is the weather in Oslo?' }],
  },
  {
    id: 'm2',
    role: 'assistant',
    created: 1767323046,
    content: [
      { type: 'thinking', thinking: 'I have to look.', signature: 'x' },
      {
        type: 'toolRequest',
        id: 'c1',
        toolCall: {
          status: 'success',
          value: { name: 'developer__shell', arguments: { command: 'w' } },
        },
      },
    ],
  },
  {
    id: 'm3',
    role: 'user',
    created: 1767323047,
    content: [
      {
        type: 'toolResponse',
        id: 'c1',
        toolResult: { status: 'error', error: '-32603: no such city' },
      },
    ],
  },
  {
    id: 'm4',
    role: 'assistant',
    created: 1767323049,
    content: [{ type: 'text', text: 'It rains.' }],
  },
];

export const samples: readonly ImporterSample[] = [
  {
    name: 'an exported session',
    text: JSON.stringify({
      id: '20260102_1',
      working_dir: '/home/user',
      name: 'Weather',
      accumulated_input_tokens: 20,
      accumulated_output_tokens: 5,
      model_config: { model_name: 'gpt-4o' },
      conversation: MESSAGES,
    }),
    outline: [
      'asked What is the weather in Oslo?',
      'thought I have to look.',
      'tool_call developer__shell {"command":"w"}',
      'observation -32603: no such city',
      'error_recovery It rains.',
      'recorded at 2026-01-02T03:04:05.000Z',
      'framework goose',
      'source {"id":"20260102_1"}',
      'model gpt-4o',
      'shell_tools one',
      'step 1: c1',
      'step 2: c1, flag',
    ],
  },
  {
    name: 'a session file',
    text: [
      { working_dir: '/home/user', description: 'Weather', message_count: 4, total_tokens: 25 },
      ...MESSAGES,
    ]
      .map((value) => JSON.stringify(value))
      .join('\n'),
    outline: [
      'asked What is the weather in Oslo?',
      'thought I have to look.',
      'tool_call developer__shell {"command":"w"}',
      'observation -32603: no such city',
      'error_recovery It rains.',
      'recorded at 2026-01-02T03:04:05.000Z',
      'framework goose',
      'source {}',
      'shell_tools one',
      'step 1: c1',
      'step 2: c1, flag',
    ],
  },
];
