import { describeShapes, Lines } from '../../../test/shapes.ts';

const PI = [
  { role: 'user', content: 'Go.', timestamp: 1767323045000 },
  { role: 'assistant', content: 'Gone.' },
];

describeShapes('pi', [
  [
    'two sessions, one of which failed',
    new Lines(
      { type: 'session', id: 's1', cwd: '/x' },
      { type: 'session', id: 's1', cwd: '/x' },
      ...PI.map((message) => ({ type: 'message', message })),
      { type: 'session', id: 's2', cwd: '/x' },
      { type: 'model_change', timestamp: 1 },
      { type: 'message_start', message: PI[0] },
      { type: 'message_end', message: PI[0] },
      { type: 'message_end', message: { role: 'bashExecution', output: 'a b' } },
      {
        type: 'message_end',
        message: { role: 'toolResult', toolCallId: 'c1', content: 'no', isError: true },
      },
      { type: 'message_end', message: { role: 'compactionSummary', content: 'x' } },
      { type: 'message_end', message: { role: '' } },
      { type: 'message_end', message: { role: 'assistant', content: [], model: 'm' } },
      {
        type: 'message_end',
        message: {
          role: 'assistant',
          content: [{ type: 'text', text: 'Half.' }],
          stopReason: 'error',
          errorMessage: 'overloaded',
        },
      },
      { type: 'message_end', message: { role: 'user', content: 'Again.' } },
    ),
    [
      'asked Go.',
      'thought Gone.',
      'recorded at 2026-01-02T03:04:05.000Z',
      'framework pi',
      'source {"session_id":"s1"}',
      'asked Go.',
      'observation a b',
      'observation no',
      'error_recovery Half.',
      'observation Again.',
      'recorded at 2026-01-02T03:04:05.000Z',
      'recorded false',
      'framework pi',
      'source {"session_id":"s2"}',
      'verdict stopReason',
      'model m',
      'omitted {"compactionSummary":1,"message":1,"empty_message":1}',
      'step 0: bashExecution',
      'step 1: c1, flag, orphan',
      'step 3: user',
    ],
  ],
  [
    'an error without a message',
    new Lines(
      { type: 'agent_start' },
      { type: 'turn_start' },
      {
        type: 'message_end',
        message: {
          role: 'assistant',
          content: [
            { type: 'toolCall', id: 'c1', name: 'f', arguments: { a: 1 } },
            { type: 'image', data: 'x' },
          ],
          stopReason: 'error',
        },
      },
    ),
    [
      'asked (no objective recorded)',
      'tool_call f {"a":1}',
      'thought [image]',
      'recorded false',
      'framework pi',
      'source {}',
      'verdict stopReason',
      'omitted {"image":1}',
      'step 0: c1',
    ],
  ],
  [
    'entries of extensions and a compaction, which are no steps',
    new Lines(
      { type: 'session', version: 3, id: 's1', cwd: '/x', timestamp: '2026-01-02T03:04:05Z' },
      { type: 'custom_message', customType: 'context', content: 'x', id: 'a', parentId: null },
      { type: 'workspace_tree', id: 'b', parentId: 'a' },
      { type: 'message', id: 'c', parentId: 'b', message: PI[0] },
      { type: 'compaction', id: 'd', parentId: 'c', summary: 'So far.' },
      { type: 'message', id: 'e', parentId: 'd', message: PI[1] },
    ),
    [
      'asked Go.',
      'thought Gone.',
      'recorded at 2026-01-02T03:04:05.000Z',
      'framework pi',
      'source {"session_id":"s1"}',
    ],
  ],
]);
