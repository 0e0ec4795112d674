import type { ImporterSample } from '../../importer/importer.ts';

const ASKED = 'tool_call get_weather {"city":"Oslo"}';
const STEPS = ['thought I have to look.', ASKED, 'observation Rain.', 'thought It rains.'];
const lines = (values: readonly unknown[]): string =>
  values.map((value) => JSON.stringify(value)).join('\n');
const part = (fields: Record<string, unknown>): object => ({
  type: fields.type,
  timestamp: 1767323045000,
  sessionID: 's1',
  part: { sessionID: 's1', messageID: 'm1', ...fields },
});
const TOOL = {
  id: 'p2',
  type: 'tool',
  callID: 'c1',
  tool: 'get_weather',
  state: { status: 'completed', input: { city: 'Oslo' }, output: 'Rain.', metadata: {} },
};
const OBJECTIVE = 'What is the weather in Oslo?';

export const samples: readonly ImporterSample[] = [
  {
    name: 'events of a run',
    text: lines([
      part({ id: 'p0', type: 'step-start' }),
      part({ id: 'p1', type: 'text', text: 'I have to look.' }),
      part({ ...TOOL, state: { status: 'running', input: {} } }),
      part(TOOL),
      part({ id: 'p3', type: 'text', text: 'It rains.' }),
    ]),
    outline: [
      'asked (no objective recorded)',
      ...STEPS,
      'recorded at 2026-01-02T03:04:05.000Z',
      'framework opencode',
      'source {"session_id":"s1"}',
      'step 1: c1',
      'step 2: c1',
    ],
  },
  {
    name: 'an export',
    text: JSON.stringify({
      info: { id: 's1', title: 'Weather', time: { created: 1767323045000 } },
      messages: [
        { info: { id: 'm0', role: 'user' }, parts: [{ id: 'p', type: 'text', text: OBJECTIVE }] },
        {
          info: { id: 'm1', role: 'assistant', modelID: 'm' },
          parts: [{ id: 'p1', type: 'reasoning', text: 'I have to look.' }, TOOL],
        },
        {
          info: { id: 'm2', role: 'assistant' },
          parts: [{ id: 'p3', type: 'text', text: 'It rains.' }],
        },
      ],
    }),
    outline: [
      `asked ${OBJECTIVE}`,
      ...STEPS,
      'recorded at 2026-01-02T03:04:05.000Z',
      'framework opencode',
      'source {"session_id":"s1"}',
      'model m',
      'step 1: c1',
      'step 2: c1',
    ],
  },
];
