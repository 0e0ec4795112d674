import type { ImporterSample } from '../../importer/importer.ts';
import { OBJECTIVE, STEPS } from '../../importer/samples/weather.ts';

const BEDROCK = [
  { role: 'user', content: [{ text: OBJECTIVE }] },
  {
    role: 'assistant',
    content: [
      { reasoningContent: { reasoningText: { text: 'I have to look.', signature: 'x' } } },
      { toolUse: { toolUseId: 't1', name: 'get_weather', input: { city: 'Oslo' } } },
    ],
  },
  {
    role: 'user',
    content: [{ toolResult: { toolUseId: 't1', content: [{ text: 'Rain.' }], status: 'success' } }],
  },
  { role: 'assistant', content: [{ text: 'It rains.' }] },
];

export const samples: readonly ImporterSample[] = [
  {
    name: 'a request with its response',
    text: JSON.stringify({
      modelId: 'amazon.nova',
      messages: BEDROCK.slice(0, 3),
      output: { message: BEDROCK[3] },
    }),
    outline: [`asked ${OBJECTIVE}`, ...STEPS, 'source {}', 'step 1: t1', 'step 2: t1'],
  },
  {
    name: 'bare messages with only text',
    text: JSON.stringify([BEDROCK[0], BEDROCK[3]]),
    outline: [`asked ${OBJECTIVE}`, 'thought It rains.', 'source {}'],
  },
];
