import type { ImporterSample } from '../../importer/importer.ts';
import { CONTENTS, OBJECTIVE, STEPS } from '../../importer/samples/weather.ts';

export const samples: readonly ImporterSample[] = [
  {
    name: 'a session',
    text: JSON.stringify({
      id: 's-1',
      appName: 'weather',
      userId: 'u',
      events: CONTENTS.map((content, index) => ({
        id: `e${index}`,
        invocationId: 'i1',
        author: content.role === 'model' || index === 2 ? 'weather_agent' : 'user',
        content,
        timestamp: 1767323045 + index,
      })),
    }),
    outline: [
      `asked ${OBJECTIVE}`,
      STEPS[0] ?? '',
      STEPS[1] ?? '',
      'observation {"output":"Rain."}',
      STEPS[3] ?? '',
      'recorded at 2026-01-02T03:04:05.000Z',
      'agent weather_agent',
      'framework google-adk',
      'source {"id":"s-1","app_name":"weather","user_id":"u"}',
    ],
  },
  {
    name: 'Python events, one per line',
    text: [
      { author: 'user', content: { role: 'user', parts: [{ text: OBJECTIVE }] } },
      {
        author: 'helper',
        content: {
          role: 'model',
          parts: [{ function_call: { id: 'f1', name: 'get_weather', args: { city: 'Oslo' } } }],
        },
      },
      {
        author: 'helper',
        content: {
          role: 'user',
          parts: [
            { function_response: { id: 'f1', name: 'get_weather', response: { result: 'Rain.' } } },
          ],
        },
      },
    ]
      .map((event) => JSON.stringify({ invocation_id: 'i1', id: 'e', timestamp: 1, ...event }))
      .join('\n'),
    outline: [
      `asked ${OBJECTIVE}`,
      'tool_call get_weather {"city":"Oslo"}',
      'observation {"result":"Rain."}',
      'recorded at 1970-01-01T00:00:01.000Z',
      'agent helper',
      'framework google-adk',
      'source {}',
      'step 0: f1',
      'step 1: f1',
    ],
  },
];
