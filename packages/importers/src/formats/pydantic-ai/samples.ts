import type { ImporterSample } from '../../importer/importer.ts';

const at = (second: number): string => `2026-01-02T03:04:0${second}Z`;
const HISTORY = [
  {
    kind: 'request',
    parts: [
      { part_kind: 'system-prompt', content: 'Be brief.', timestamp: at(0) },
      { part_kind: 'user-prompt', content: 'What is the weather in Oslo?', timestamp: at(0) },
    ],
    instructions: null,
  },
  {
    kind: 'response',
    parts: [
      { part_kind: 'thinking', content: 'I have to look.' },
      { part_kind: 'tool-call', tool_name: 'get_weather', args: '{"town":1}', tool_call_id: 'c1' },
    ],
    usage: { input_tokens: 9, output_tokens: 3 },
    model_name: 'gpt-4o',
    timestamp: at(1),
  },
  {
    kind: 'request',
    parts: [
      {
        part_kind: 'retry-prompt',
        tool_name: 'get_weather',
        tool_call_id: 'c1',
        content: [{ type: 'missing', loc: ['city'], msg: 'Field required' }],
        timestamp: at(2),
      },
    ],
  },
  {
    kind: 'response',
    parts: [
      {
        part_kind: 'tool-call',
        tool_name: 'get_weather',
        args: { city: 'Oslo' },
        tool_call_id: 'c2',
      },
    ],
    usage: { request_tokens: 12, response_tokens: 4 },
    timestamp: at(3),
  },
  {
    kind: 'request',
    parts: [
      {
        part_kind: 'tool-return',
        tool_name: 'get_weather',
        tool_call_id: 'c2',
        content: { sky: 'Rain.' },
        timestamp: at(4),
      },
    ],
  },
  { kind: 'response', parts: [{ part_kind: 'text', content: 'It rains.' }], timestamp: at(5) },
];

export const samples: readonly ImporterSample[] = [
  {
    name: 'a history',
    text: JSON.stringify(HISTORY),
    outline: [
      'asked What is the weather in Oslo?',
      'thought I have to look.',
      'tool_call get_weather {"town":1}',
      'observation [{"type":"missing","loc":["city"],"msg":"Field required"}]',
      'error_recovery get_weather {"city":"Oslo"}',
      'observation {"sky":"Rain."}',
      'thought It rains.',
      'recorded at 2026-01-02T03:04:00.000Z',
      'framework pydantic-ai',
      'source {}',
      'model gpt-4o',
      'step 1: c1',
      'step 2: c1, flag',
      'step 3: c2',
      'step 4: c2',
    ],
  },
  {
    name: 'a history in an object',
    text: JSON.stringify({ run_id: 'r1', messages: [HISTORY[0], HISTORY[5]] }),
    outline: [
      'asked What is the weather in Oslo?',
      'thought It rains.',
      'recorded at 2026-01-02T03:04:00.000Z',
      'framework pydantic-ai',
      'source {"run_id":"r1"}',
    ],
  },
];
