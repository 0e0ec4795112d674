import type { ImporterSample } from '../../importer/importer.ts';

export const samples: readonly ImporterSample[] = [
  {
    name: 'a recording',
    text: JSON.stringify({
      schema_version: 'ATIF-v1.4',
      session_id: 's',
      agent: { name: 'a' },
      steps: [
        { step_id: 1, source: 'user', message: 'Go.' },
        { step_id: 2, source: 'agent', message: 'Gone.' },
      ],
    }),
    outline: ['asked Go.', 'thought Gone.', 'agent a', 'source {"session_id":"s"}'],
  },
];
