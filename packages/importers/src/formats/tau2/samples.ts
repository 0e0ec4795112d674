import type { ImporterSample } from '../../importer/importer.ts';

export const samples: readonly ImporterSample[] = [
  {
    name: 'a recording',
    text: JSON.stringify({
      info: {},
      tasks: [],
      simulations: [
        { id: 's', task_id: '1', messages: [{ role: 'assistant', content: 'Hello.' }] },
      ],
    }),
    outline: [
      'asked (no objective recorded)',
      'thought Hello.',
      'framework tau2',
      'source {"task_id":"1","id":"s"}',
      'task 1',
    ],
  },
];
