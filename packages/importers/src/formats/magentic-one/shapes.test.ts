import { describeShapes } from '../../../test/shapes.ts';

describeShapes('magentic-one', [
  [
    'every member of the team',
    {
      task_id: 't1',
      messages: [
        { role: 'UserProxy', content: 'Go.' },
        { role: 'Orchestrator (-> Coder)', content: 'Write.' },
        { role: 'Coder', content: 'Written.' },
        { role: 'FileSurfer', content: 'A file.' },
        { role: 'ComputerTerminal', content: 'exit 0' },
        { role: 'Executor', content: 'ran' },
        { role: 'User', content: 'More.' },
      ],
    },
    [
      'asked Go.',
      'thought Write.',
      'thought Written.',
      'observation A file.',
      'observation exit 0',
      'observation ran',
      'observation More.',
      'framework magentic-one',
      'source {"task_id":"t1"}',
      'task t1',
      'step 2: FileSurfer',
      'step 3: ComputerTerminal',
      'step 4: Executor',
      'step 5: user',
    ],
  ],
]);
