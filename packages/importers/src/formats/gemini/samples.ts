import type { ImporterSample } from '../../importer/importer.ts';

const OBJECTIVE = 'What is the weather in Oslo?';
const STEPS = [
  'thought I have to look.',
  'tool_call get_weather {"city":"Oslo"}',
  'observation Rain.',
  'thought It rains.',
];
const CONTENTS = [
  { role: 'user', parts: [{ text: OBJECTIVE }] },
  {
    role: 'model',
    parts: [
      { text: 'I have to look.', thought: true },
      { functionCall: { name: 'get_weather', args: { city: 'Oslo' } } },
    ],
  },
  {
    role: 'user',
    parts: [{ functionResponse: { name: 'get_weather', response: { output: 'Rain.' } } }],
  },
  { role: 'model', parts: [{ text: 'It rains.' }] },
];

export const samples: readonly ImporterSample[] = [
  {
    name: 'a request with its response',
    text: JSON.stringify({
      request: { contents: CONTENTS.slice(0, 3) },
      response: { candidates: [{ content: CONTENTS[3], finishReason: 'STOP' }] },
    }),
    outline: [
      `asked ${OBJECTIVE}`,
      STEPS[0] ?? '',
      STEPS[1] ?? '',
      'observation {"output":"Rain."}',
      STEPS[3] ?? '',
      'source {}',
    ],
  },
  {
    name: 'a history with a tool that reports an error',
    text: JSON.stringify([
      ...CONTENTS.slice(0, 2),
      {
        role: 'user',
        parts: [{ functionResponse: { name: 'get_weather', response: { error: 'No station.' } } }],
      },
      { role: 'model', parts: [{ text: 'Nobody knows.' }] },
    ]),
    outline: [
      `asked ${OBJECTIVE}`,
      STEPS[0] ?? '',
      STEPS[1] ?? '',
      'observation {"error":"No station."}',
      'error_recovery Nobody knows.',
      'source {}',
      'step 2: flag',
    ],
  },
  {
    name: 'contents, one per line',
    text: [CONTENTS[0], CONTENTS[3]].map((content) => JSON.stringify(content)).join('\n'),
    outline: [`asked ${OBJECTIVE}`, 'thought It rains.', 'source {}'],
  },
];
