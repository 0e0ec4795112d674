import type { ImporterSample } from '../../importer/importer.ts';

export const samples: readonly ImporterSample[] = [
  {
    name: 'a recording',
    text: JSON.stringify({
      trajectory: [{ thought: 'Look.', action: 'ls', observation: 'a' }],
      history: [{ role: 'user', content: 'Fix.' }],
      info: {},
    }),
    outline: [
      'asked Fix.',
      'thought Look.',
      'tool_call bash {"command":"ls"}',
      'observation a',
      'framework swe-agent',
      'source {}',
      'shell_tools one',
    ],
  },
];
