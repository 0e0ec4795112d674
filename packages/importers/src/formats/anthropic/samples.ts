import type { ImporterSample } from '../../importer/importer.ts';

export const samples: readonly ImporterSample[] = [
  {
    name: 'a recording',
    text: JSON.stringify([
      { role: 'user', content: 'Go.' },
      { role: 'assistant', content: [{ type: 'tool_use', id: 'c', name: 'f', input: {} }] },
    ]),
    outline: ['asked Go.', 'tool_call f {}', 'source {}', 'step 0: c'],
  },
];
