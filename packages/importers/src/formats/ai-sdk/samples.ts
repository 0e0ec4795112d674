import type { ImporterSample } from '../../importer/importer.ts';

export const samples: readonly ImporterSample[] = [
  {
    name: 'a recording',
    text: JSON.stringify([
      { role: 'user', parts: [{ type: 'text', text: 'Go.' }] },
      {
        role: 'assistant',
        parts: [
          { type: 'tool-f', toolCallId: 'c', state: 'output-available', input: {}, output: 1 },
        ],
      },
    ]),
    outline: [
      'asked Go.',
      'tool_call f {}',
      'observation 1',
      'source {}',
      'step 0: c',
      'step 1: c',
    ],
  },
];
