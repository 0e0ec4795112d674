import type { ImporterSample } from '../../importer/importer.ts';

export const samples: readonly ImporterSample[] = [
  {
    name: 'a recording',
    text: JSON.stringify({
      info: { exit_status: 'Submitted' },
      instance_id: 'a__b-1',
      messages: [
        { role: 'user', content: '<pr_description>Fix.</pr_description>' },
        {
          role: 'assistant',
          content: 'Look.',
          tool_calls: [{ id: 'c', function: { name: 'bash', arguments: '{"command":"ls"}' } }],
          extra: { actions: [{ command: 'ls' }] },
        },
      ],
      trajectory_format: 'mini-swe-agent-1',
    }),
    outline: [
      'asked Fix.',
      'thought Look.',
      'tool_call bash {"command":"ls"}',
      'framework mini-swe-agent',
      'source {"instance_id":"a__b-1"}',
      'task a__b-1',
      'shell_tools one',
      'stripped {"instructions":1}',
      'step 1: c',
    ],
  },
];
