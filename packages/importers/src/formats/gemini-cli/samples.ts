import type { ImporterSample } from '../../importer/importer.ts';

const OBJECTIVE = 'What is the weather in Oslo?';
const STEPS = [
  'thought I have to look.',
  'tool_call get_weather {"city":"Oslo"}',
  'observation Rain.',
  'thought It rains.',
];
const time = '2026-01-02T03:04:05.000Z';
const GEMINI_MESSAGES = [
  { id: 'm1', timestamp: time, type: 'user', content: [{ text: OBJECTIVE }] },
  { id: 'm2', timestamp: time, type: 'info', content: 'Update available' },
  {
    id: 'm3',
    timestamp: time,
    type: 'gemini',
    content: '',
    thoughts: [{ subject: 'Weather', description: 'I have to look.', timestamp: time }],
    model: 'gemini-2.5-flash',
    toolCalls: [
      {
        id: 'c1',
        name: 'get_weather',
        args: { city: 'Oslo' },
        result: [
          { functionResponse: { id: 'c1', name: 'get_weather', response: { output: 'Rain.' } } },
        ],
        status: 'success',
        timestamp: time,
      },
    ],
  },
  { id: 'm4', timestamp: time, type: 'gemini', content: 'It rains.' },
];
const SESSION = { sessionId: 's-1', projectHash: 'h', startTime: time, lastUpdated: time };
const GEMINI_STEPS = ['thought Weather: I have to look.', ...STEPS.slice(1)];

export const samples: readonly ImporterSample[] = [
  {
    name: 'a session in one object',
    text: JSON.stringify({ ...SESSION, messages: GEMINI_MESSAGES }),
    outline: [
      `asked ${OBJECTIVE}`,
      ...GEMINI_STEPS,
      'recorded at 2026-01-02T03:04:05.000Z',
      'framework gemini-cli',
      'source {"session_id":"s-1"}',
      'model gemini-2.5-flash',
      'omitted {"info":1}',
      'step 1: c1',
      'step 2: c1',
    ],
  },
  {
    name: 'records, one per line, with a rewind',
    text: [
      SESSION,
      ...GEMINI_MESSAGES,
      { id: 'm5', timestamp: time, type: 'user', content: 'Never mind.' },
      { $rewindTo: 'm5' },
      { $set: { summary: 'Weather' } },
    ]
      .map((record) => JSON.stringify(record))
      .join('\n'),
    outline: [
      `asked ${OBJECTIVE}`,
      ...GEMINI_STEPS,
      'recorded at 2026-01-02T03:04:05.000Z',
      'framework gemini-cli',
      'source {"session_id":"s-1"}',
      'model gemini-2.5-flash',
      'omitted {"info":1}',
      'step 1: c1',
      'step 2: c1',
    ],
  },
];
