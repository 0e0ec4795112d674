import type { ImporterSample } from '../../importer/importer.ts';

export const samples: readonly ImporterSample[] = [
  {
    name: 'a recording',
    text: [
      { type: 'user', sessionId: 's', uuid: 'a', message: { role: 'user', content: 'Go.' } },
      {
        type: 'assistant',
        sessionId: 's',
        uuid: 'b',
        message: { role: 'assistant', content: [{ type: 'text', text: 'Gone.' }] },
      },
    ]
      .map((event) => JSON.stringify(event))
      .join('\n'),
    outline: ['asked Go.', 'thought Gone.', 'framework claude-code', 'source {"session_id":"s"}'],
  },
];
