import { describeShapes } from '../../../test/shapes.ts';

const result = {
  testCase: { description: 'weather' },
  provider: 'echo',
  prompt: { raw: 'Go.', label: 'p' },
  success: false,
};

describeShapes('promptfoo', [
  [
    'a provider that failed',
    { ...result, failureReason: 2, error: 'API error: 500', response: null },
    ['crashed API error: 500'],
  ],
  [
    'a result by itself, with blocks of Anthropic as the JSON of its output',
    {
      ...result,
      response: { output: '{"type":"tool_use","id":"c1","name":"f","input":{"a":1}}' },
    },
    [
      'asked Go.',
      'tool_call f {"a":1}',
      'recorded false',
      'framework promptfoo',
      'source {}',
      'verdict success',
      'task weather',
      'model echo',
      'step 0: c1',
    ],
  ],
]);
