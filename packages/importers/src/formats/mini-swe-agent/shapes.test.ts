import { describeShapes } from '../../../test/shapes.ts';

const user = (content: unknown): object => ({ role: 'user', content });
const agent = (content: unknown, fields: object = {}): object => ({
  role: 'assistant',
  content,
  ...fields,
});
const format = 'mini-swe-agent-1.1';

describeShapes('mini-swe-agent', [
  [
    'actions beside the text, and errors in fields',
    {
      trajectory_format: format,
      instance_id: 'a-1',
      info: {
        config: { model: { model_name: 'm' } },
        submission: 'diff',
        exit_status: 'Submitted',
      },
      messages: [
        { role: 'user', content: 'Go.', extra: { timestamp: 'now' } },
        agent('Look.', {
          extra: { timestamp: 1767323045, actions: [{ command: 'ls', tool_call_id: 'c1' }] },
        }),
        {
          role: 'tool',
          tool_call_id: 'c1',
          content: 'a',
          extra: { returncode: 0, exception_info: '' },
        },
        agent(' ', {
          reasoning_content: 'Reasoned.',
          tool_calls: [{ id: 'c2', function: { name: 'bash', arguments: '{"command":"pwd"}' } }],
        }),
        {
          role: 'tool',
          tool_call_id: 'c2',
          content: '<returncode>0</returncode>',
          extra: { exception_info: 'broken' },
        },
        agent('Again.', {
          tool_calls: [{ id: 'c3', function: { name: 'bash', arguments: '{}' } }],
        }),
        { role: 'tool', tool_call_id: 'c3', content: '<returncode>-1</returncode>' },
        agent('On.', { tool_calls: [{ id: 'c4', function: { name: 'bash', arguments: '{}' } }] }),
        { role: 'tool', tool_call_id: 'c4', content: 'x', extra: { returncode: '0' } },
        { role: 'exit', content: 'diff' },
      ],
    },
    [
      'asked Go.',
      'thought Look.',
      'tool_call bash {"command":"ls"}',
      'observation a',
      'thought Reasoned.',
      'tool_call bash {"command":"pwd"}',
      'observation <returncode>0</returncode>',
      'error_recovery Again.',
      'tool_call bash {}',
      'observation <returncode>-1</returncode>',
      'error_recovery On.',
      'tool_call bash {}',
      'observation x',
      'recorded at 2026-01-02T03:04:05.000Z',
      'agent m',
      'framework mini-swe-agent',
      'result diff',
      'source {"instance_id":"a-1"}',
      'task a-1',
      'model m',
      'shell_tools one',
      'omitted {"exit_message":1}',
      'step 1: c1',
      'step 2: c1',
      'step 4: c2',
      'step 5: c2, flag',
      'step 7: c3',
      'step 8: c3, exit_code',
      'step 10: c4',
      'step 11: c4',
    ],
  ],
  [
    'commands in code blocks, and their output in user messages',
    {
      trajectory_format: format,
      info: { exit_status: 'LimitsExceeded' },
      messages: [
        user('Go.'),
        agent('Look.\n```bash\nls\n```'),
        user('<returncode>1</returncode>\nnone'),
        agent('```mswea_bash_command\npwd```'),
        user('<returncode>0</returncode>\n/x'),
        agent('```python\n1\n```'),
        user('No command.'),
      ],
    },
    [
      'asked Go.',
      'thought Look.\n```bash\nls\n```',
      'tool_call bash {"command":"ls"}',
      'observation <returncode>1</returncode>\nnone',
      'thought ```mswea_bash_command\npwd```',
      'tool_call bash {"command":"pwd"}',
      'observation <returncode>0</returncode>\n/x',
      'thought ```python\n1\n```',
      'observation No command.',
      'recorded false',
      'framework mini-swe-agent',
      'source {}',
      'verdict info.exit_status',
      'shell_tools one',
      'step 2: exit_code',
      'step 7: user',
    ],
  ],
]);
