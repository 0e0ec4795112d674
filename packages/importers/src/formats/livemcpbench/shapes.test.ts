import { describeShapes, type Shape } from '../../../test/shapes.ts';

const execute = (id: string, given: unknown): object => ({
  role: 'assistant',
  content: '',
  tool_calls: [{ id, type: 'function', function: { name: 'execute-tool', arguments: given } }],
});

describeShapes('livemcpbench', [
  [
    'a judge, a response, arguments in other forms, other tools',
    {
      task_id: 't1',
      judge: false,
      response: 'The answer.',
      messages: [
        { role: 'user', content: 'Go.' },
        { role: 'assistant', content: 'I think.', tool_calls: null },
        execute('c1', { tool_name: 'f', arguments: '{"a":1}' }),
        { role: 'tool', tool_call_id: 'c1', content: 'ok isError=True)' },
        execute('c2', 'not JSON'),
        execute('c3', { tool_name: '' }),
        execute('c4', { tool_name: 'g' }),
        {
          role: 'assistant',
          tool_calls: [{ id: 'c5', function: { name: 'other', arguments: '{"tool_name":"h"}' } }],
        },
        { role: 'tool', tool_call_id: 'c5', content: `isError=True ${'x'.repeat(40)}` },
      ],
    },
    [
      'asked Go.',
      'thought I think.',
      'tool_call f {"a":1}',
      'observation ok isError=True)',
      'error_recovery execute-tool not JSON',
      'tool_call execute-tool {"tool_name":""}',
      'tool_call g',
      'tool_call other {"tool_name":"h"}',
      'observation isError=True xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx',
      'recorded false',
      'framework livemcpbench',
      'result The answer.',
      'source {"task_id":"t1"}',
      'verdict judge',
      'task t1',
      'step 1: c1',
      'step 2: c1, flag',
      'step 3: c2',
      'step 4: c3',
      'step 5: c4',
      'step 6: c5',
      'step 7: c5',
    ],
  ],
  ...(
    [
      [{ task_success: 'failure', reward: 1, judge: 'success' }, 'task_success', false],
      [{ reward: 1, judge: 'Thoughts: it did. Status: "success"' }, 'reward', true],
      [{ judge: 'success' }, 'judge', true],
    ] as const
  ).map(
    ([verdicts, path, success]): Shape => [
      `the verdict ${path}`,
      {
        task_id: 't1',
        messages: [{ role: 'user', content: 'Go.' }, execute('c1', {})],
        ...verdicts,
      },
      [
        'asked Go.',
        'tool_call execute-tool {}',
        `recorded ${success}`,
        'framework livemcpbench',
        'source {"task_id":"t1"}',
        `verdict ${path}`,
        'task t1',
        'step 0: c1',
      ],
    ],
  ),
]);
