import { describeShapes } from '../../../test/shapes.ts';

describeShapes('smolagents', [
  [
    'the logs of an application, with a task without images',
    {
      logs: [
        { task: 'Weather in Oslo?' },
        {
          step_number: 1,
          model_output_message: { role: 'assistant', content: 'I look.' },
          tool_calls: [
            {
              id: 'c1',
              type: 'function',
              function: { name: 'weather', arguments: { city: 'Oslo' } },
            },
          ],
          observations: null,
          error: { type: 'AgentToolExecutionError', message: 'no such city' },
        },
      ],
    },
    [
      'asked Weather in Oslo?',
      'thought I look.',
      'tool_call weather {"city":"Oslo"}',
      'observation no such city',
      'framework smolagents',
      'source {}',
      'step 1: c1',
      'step 2: c1, flag',
    ],
  ],
]);
