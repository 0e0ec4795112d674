import type { ImporterSample } from '../../importer/importer.ts';

const OBJECTIVE = 'What is the weather in Oslo?';
const ASKED = 'tool_call get_weather {"city":"Oslo"}';
const STEPS = ['thought I have to look.', ASKED, 'observation Rain.', 'thought It rains.'];
const time = '2026-01-02T03:04:05.000Z';
const lines = (values: readonly unknown[]): string =>
  values.map((value) => JSON.stringify(value)).join('\n');
const PI = [
  { role: 'user', content: [{ type: 'text', text: OBJECTIVE }] },
  {
    role: 'assistant',
    content: [
      { type: 'thinking', thinking: 'I have to look.' },
      { type: 'toolCall', id: 'c1', name: 'get_weather', arguments: { city: 'Oslo' } },
    ],
    model: 'm',
  },
  {
    role: 'toolResult',
    toolCallId: 'c1',
    toolName: 'get_weather',
    content: [{ type: 'text', text: 'Rain.' }],
  },
  { role: 'assistant', content: [{ type: 'text', text: 'It rains.' }] },
];

export const samples: readonly ImporterSample[] = [
  {
    name: 'a session file',
    text: lines([
      { type: 'session', version: 3, id: 's1', timestamp: time, cwd: '/x' },
      ...PI.map((message) => ({ type: 'message', id: 'e', timestamp: time, message })),
    ]),
    outline: [
      `asked ${OBJECTIVE}`,
      ...STEPS,
      'recorded at 2026-01-02T03:04:05.000Z',
      'framework pi',
      'source {"session_id":"s1"}',
      'model m',
      'step 1: c1',
      'step 2: c1',
    ],
  },
  {
    name: 'events',
    text: lines([
      { type: 'agent_start' },
      ...PI.flatMap((message) => [
        { type: 'message_start', message },
        { type: 'message_end', message },
      ]),
      { type: 'agent_end', messages: PI },
    ]),
    outline: [
      `asked ${OBJECTIVE}`,
      ...STEPS,
      'framework pi',
      'source {}',
      'model m',
      'step 1: c1',
      'step 2: c1',
    ],
  },
];
