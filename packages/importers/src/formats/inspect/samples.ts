import type { ImporterSample } from '../../importer/importer.ts';

export const samples: readonly ImporterSample[] = [
  {
    name: 'a recording',
    text: JSON.stringify({
      status: 'success',
      eval: { run_id: 'r', task: 't' },
      samples: [
        {
          id: 1,
          epoch: 1,
          input: 'Go.',
          messages: [{ role: 'assistant', content: 'Gone.' }],
          scores: {},
        },
      ],
    }),
    outline: [
      'asked Go.',
      'thought Gone.',
      'framework inspect',
      'source {"id":1,"epoch":1,"task":"t","run_id":"r"}',
      'task t/1',
    ],
  },
];
