import { describeShapes } from '../../../test/shapes.ts';

describeShapes('gemini', [
  [
    'a checkpoint',
    {
      clientHistory: [
        { role: 'user', parts: [{ text: 'Go.' }] },
        {
          role: 'model',
          parts: [
            { functionCall: { name: 'f', args: {} } },
            { inlineData: { mimeType: 'image/png' } },
          ],
        },
      ],
    },
    ['asked Go.', 'tool_call f {}', 'source {}', 'omitted {"part":1}'],
  ],
  [
    'tools with an empty error',
    [
      { role: 'user', parts: [{ text: 'Go.' }] },
      ...[null, false, '', { code: 1 }].flatMap((error, index) => [
        { role: 'model', parts: [{ functionCall: { id: `c${index}`, name: 'f', args: {} } }] },
        {
          role: 'user',
          parts: [{ functionResponse: { id: `c${index}`, name: 'f', response: { error } } }],
        },
      ]),
    ],
    [
      'asked Go.',
      'tool_call f {}',
      'observation {"error":null}',
      'tool_call f {}',
      'observation {"error":false}',
      'tool_call f {}',
      'observation {"error":""}',
      'tool_call f {}',
      'observation {"error":{"code":1}}',
      'source {}',
      'step 0: c0',
      'step 1: c0',
      'step 2: c1',
      'step 3: c1',
      'step 4: c2',
      'step 5: c2',
      'step 6: c3',
      'step 7: c3, flag',
    ],
  ],
]);
