import type { ImporterSample } from '../../importer/importer.ts';

const OBJECTIVE = 'What is the weather in Oslo?';
const ASKED = 'tool_call get_weather {"city":"Oslo"}';
const STEPS = ['thought I have to look.', ASKED, 'observation Rain.', 'thought It rains.'];
const time = '2026-01-02T03:04:05.000Z';
const lines = (values: readonly unknown[]): string =>
  values.map((value) => JSON.stringify(value)).join('\n');
const managed = (type: string, fields: object = {}): object => ({
  id: `e-${type}`,
  processed_at: time,
  type,
  ...fields,
});

export const samples: readonly ImporterSample[] = [
  {
    name: 'events, one per line',
    text: lines([
      managed('session.status_running'),
      managed('user.message', { content: [{ type: 'text', text: OBJECTIVE }] }),
      managed('agent.message', { content: [{ type: 'text', text: 'I have to look.' }] }),
      managed('agent.custom_tool_use', { id: 'c1', name: 'get_weather', input: { city: 'Oslo' } }),
      managed('user.custom_tool_result', {
        custom_tool_use_id: 'c1',
        content: [{ type: 'text', text: 'Rain.' }],
      }),
      managed('agent.message', { id: 'e9', content: [{ type: 'text', text: 'It rains.' }] }),
      managed('session.status_idle', { stop_reason: { type: 'end_turn' } }),
    ]),
    outline: [
      `asked ${OBJECTIVE}`,
      ...STEPS,
      'recorded at 2026-01-02T03:04:05.000Z',
      'framework claude-managed-agents',
      'source {}',
      'omitted {"session.status_running":1,"session.status_idle":1}',
      'step 1: c1',
      'step 2: c1',
    ],
  },
];
