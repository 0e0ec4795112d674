import type { ImporterSample } from '../../importer/importer.ts';

const OBJECTIVE = 'What is the weather in Oslo?';
const ASKED = 'tool_call get_weather {"city":"Oslo"}';
const STEPS = ['thought I have to look.', ASKED, 'observation Rain.', 'thought It rains.'];

export const samples: readonly ImporterSample[] = [
  {
    name: 'ShareGPT with calls between tags',
    text: JSON.stringify({
      id: '1',
      conversations: [
        { from: 'system', value: 'Tools: …' },
        { from: 'human', value: OBJECTIVE },
        {
          from: 'gpt',
          value:
            'I have to look.\n<tool_call>\n{"name": "get_weather", "arguments": {"city": "Oslo"}}\n</tool_call>',
        },
        { from: 'tool', value: '<tool_response>\nRain.\n</tool_response>' },
        { from: 'gpt', value: 'It rains.' },
      ],
    }),
    outline: [`asked ${OBJECTIVE}`, ...STEPS, 'source {"id":"1"}'],
  },
  {
    name: 'calls as turns, with the conversation as JSON text',
    text: JSON.stringify({
      instance_id: 'a__b-1',
      target: true,
      trajectory: JSON.stringify([
        { role: 'user', text: OBJECTIVE },
        { role: 'ai', text: 'I have to look.' },
        { role: 'function_call', text: '{"name":"get_weather","arguments":{"city":"Oslo"}}' },
        { role: 'observation', text: 'Rain.' },
        { role: 'ai', text: 'It rains.' },
      ]),
    }),
    outline: [
      `asked ${OBJECTIVE}`,
      ...STEPS,
      'recorded true',
      'source {"instance_id":"a__b-1"}',
      'verdict target',
      'task a__b-1',
    ],
  },
];
