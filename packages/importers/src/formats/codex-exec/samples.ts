import type { ImporterSample } from '../../importer/importer.ts';

const done = (item: object): object => ({ type: 'item.completed', item });

export const samples: readonly ImporterSample[] = [
  {
    name: 'events',
    text: [
      { type: 'thread.started', thread_id: 't-1' },
      { type: 'turn.started' },
      done({ id: 'i0', type: 'reasoning', text: 'I look.' }),
      {
        type: 'item.started',
        item: { id: 'i1', type: 'command_execution', command: 'ls', status: 'in_progress' },
      },
      done({
        id: 'i1',
        type: 'command_execution',
        command: 'ls',
        aggregated_output: 'ls: x: No such file or directory',
        exit_code: 2,
        status: 'failed',
      }),
      done({
        id: 'i2',
        type: 'mcp_tool_call',
        server: 'docs',
        tool: 'search',
        arguments: { q: 'ls' },
        result: { content: [{ type: 'text', text: 'found' }] },
        status: 'completed',
      }),
      done({ id: 'i3', type: 'agent_message', text: 'Done.' }),
      { type: 'turn.completed', usage: { input_tokens: 1 } },
    ]
      .map((event) => JSON.stringify(event))
      .join('\n'),
    outline: [
      'asked (no objective recorded)',
      'thought I look.',
      'tool_call command_execution {"command":"ls"}',
      'observation ls: x: No such file or directory',
      'error_recovery search {"q":"ls"}',
      'observation found',
      'thought Done.',
      'framework codex',
      'source {"thread_id":"t-1"}',
      'shell_tools one',
      'step 1: i1',
      'step 2: i1, exit_code',
      'step 3: i2',
      'step 4: i2',
    ],
  },
];
