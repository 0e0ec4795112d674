import type { ImporterSample } from '../../importer/importer.ts';

export const samples: readonly ImporterSample[] = [
  {
    name: 'a recording',
    text: JSON.stringify({
      messages: [
        { role: 'user', content: 'Go.' },
        { role: 'assistant', tool_calls: [{ id: 'c', function: { name: 'f', arguments: '{}' } }] },
      ],
    }),
    outline: ['asked Go.', 'tool_call f {}', 'source {}', 'step 0: c'],
  },
  {
    name: 'messages with only text',
    text: JSON.stringify([
      { role: 'user', content: 'Go.' },
      { role: 'assistant', content: 'Gone.' },
    ]),
    outline: ['asked Go.', 'thought Gone.', 'source {}'],
  },
];
