import type { ImporterSample } from '../../importer/importer.ts';
import { CONTENTS, OBJECTIVE, STEPS } from '../../importer/samples/weather.ts';

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
