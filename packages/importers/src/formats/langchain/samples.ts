import type { ImporterSample } from '../../importer/importer.ts';

export const samples: readonly ImporterSample[] = [
  {
    name: 'a recording',
    text: JSON.stringify({
      messages: [
        { type: 'human', content: 'Go.' },
        { type: 'ai', content: '', tool_calls: [{ name: 'f', args: {}, id: 'c' }] },
      ],
    }),
    outline: ['asked Go.', 'tool_call f {}', 'framework langchain', 'source {}', 'step 0: c'],
  },
];
