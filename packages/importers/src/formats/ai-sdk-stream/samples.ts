import type { ImporterSample } from '../../importer/importer.ts';

const ASKED = 'tool_call get_weather {"city":"Oslo"}';
const STEPS = ['thought I have to look.', ASKED, 'observation Rain.', 'thought It rains.'];
const lines = (values: readonly unknown[]): string =>
  values.map((value) => JSON.stringify(value)).join('\n');

export const samples: readonly ImporterSample[] = [
  {
    name: 'chunks of a UI message',
    text: JSON.stringify([
      { type: 'start', messageId: 'm1' },
      { type: 'start-step' },
      { type: 'reasoning-start', id: 'r' },
      { type: 'reasoning-delta', id: 'r', delta: 'I have ' },
      { type: 'reasoning-delta', id: 'r', delta: 'to look.' },
      { type: 'reasoning-end', id: 'r' },
      { type: 'tool-input-start', toolCallId: 'c1', toolName: 'get_weather' },
      { type: 'tool-input-delta', toolCallId: 'c1', inputTextDelta: '{"city":' },
      { type: 'tool-input-delta', toolCallId: 'c1', inputTextDelta: '"Oslo"}' },
      { type: 'tool-output-available', toolCallId: 'c1', output: 'Ra', preliminary: true },
      { type: 'tool-output-available', toolCallId: 'c1', output: 'Rain.' },
      { type: 'data-progress', data: 1 },
      { type: 'text-start', id: 't' },
      { type: 'text-delta', id: 't', delta: 'It rains.' },
      { type: 'text-end', id: 't' },
      { type: 'finish' },
    ]),
    outline: [
      'asked (no objective recorded)',
      ...STEPS,
      'framework ai-sdk',
      'source {"message_id":"m1"}',
      'omitted {"data":1}',
      'step 1: c1',
      'step 2: c1',
    ],
  },
  {
    name: 'parts of fullStream, one per line',
    text: lines([
      { type: 'tool-call', toolCallId: 'c1', toolName: 'get_weather', input: { city: 'Oslo' } },
      { type: 'tool-error', toolCallId: 'c1', toolName: 'get_weather', error: 'offline' },
      { type: 'text-delta', id: '0', text: 'No idea.' },
    ]),
    outline: [
      'asked (no objective recorded)',
      ASKED,
      'observation offline',
      'error_recovery No idea.',
      'framework ai-sdk',
      'source {}',
      'step 0: c1',
      'step 1: c1, flag',
    ],
  },
];
