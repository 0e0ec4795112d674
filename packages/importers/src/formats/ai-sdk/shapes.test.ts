import { describeShapes } from '../../../test/shapes.ts';

const user = (content: unknown): object => ({ role: 'user', content });
const agent = (content: unknown, fields: object = {}): object => ({
  role: 'assistant',
  content,
  ...fields,
});
const invocation = (state: string, fields: object = {}): object => ({
  type: 'tool-f',
  toolCallId: 'c',
  state,
  ...fields,
});

describeShapes('ai-sdk', [
  [
    'parts of UI messages',
    {
      id: 'x',
      messages: [
        {
          role: 'user',
          parts: [
            { type: 'text', text: 'Go.' },
            { type: 'data-x', data: 1 },
            { type: 'step-start' },
          ],
        },
        {
          role: 'assistant',
          parts: [
            { type: 'step-start' },
            invocation('input-available', { input: { a: 1 } }),
            invocation('output-error', { rawInput: { b: 1 }, errorText: 'no' }),
            invocation('output-denied', { approval: { reason: 'not now' } }),
            invocation('output-denied'),
            {
              type: 'dynamic-tool',
              toolName: 'g',
              toolCallId: 'd',
              state: 'output-available',
              input: {},
              output: { x: 1 },
            },
            {
              type: 'tool-invocation',
              toolInvocation: {
                toolName: 'h',
                toolCallId: 'e',
                state: 'result',
                args: {},
                result: 'old',
              },
            },
            { type: 'data-x', data: 1 },
            { type: 'source-url', url: 'x' },
            { type: 'file', mediaType: 'image/png' },
            { type: 'reasoning', text: 'Why.' },
          ],
        },
        { role: 'assistant', parts: [] },
      ],
    },
    [
      'asked Go.',
      'tool_call f {"a":1}',
      'tool_call f {"b":1}',
      'tool_call f',
      'tool_call f',
      'tool_call g {}',
      'tool_call h {}',
      'observation no',
      'observation not now',
      'observation ',
      'observation {"x":1}',
      'observation old',
      'error_recovery [image]',
      'thought Why.',
      'source {"id":"x"}',
      'omitted {"data":1,"source-url":1,"image":1,"empty_message":1}',
      'step 0: c',
      'step 1: c',
      'step 2: c',
      'step 3: c',
      'step 4: d',
      'step 5: e',
      'step 6: c, flag',
      'step 7: c, rejected',
      'step 8: c, rejected',
      'step 9: d',
      'step 10: e',
    ],
  ],
  [
    'model messages',
    [
      user('Go.'),
      agent([{ type: 'tool-call', toolCallId: 'c', toolName: 'f', args: { a: 1 } }]),
      {
        role: 'tool',
        content: [
          { type: 'tool-result', toolCallId: 'c', output: { type: 'text', value: 'typed' } },
          { type: 'tool-result', toolCallId: 'c', output: { type: 'error-text', value: 'no' } },
          {
            type: 'tool-result',
            toolCallId: 'c',
            output: { type: 'execution-denied', reason: 'why' },
          },
          { type: 'tool-result', toolCallId: 'c', result: { type: 'error-text', value: 1 } },
          { type: 'tool-result', toolCallId: 'c', result: 'x', isError: true },
          { type: 'tool-error', toolCallId: 'c', error: 'broken' },
        ],
      },
      { role: 'system', content: 'x' },
    ],
    [
      'asked Go.',
      'tool_call f {"a":1}',
      'observation typed',
      'observation no',
      'observation why',
      'observation [error-text]',
      'observation x',
      'observation broken',
      'result Interrupted by the user.',
      'source {}',
      'ending interrupted',
      'omitted {"error-text":1}',
      'step 0: c',
      'step 1: c',
      'step 2: c, flag',
      'step 3: c, rejected',
      'step 4: c',
      'step 5: c, flag',
      'step 6: c, flag',
    ],
  ],
  [
    'messages of the agent without content',
    {
      messages: [
        { role: 'user', parts: [{ type: 'text', text: 'Go.' }] },
        { role: 'assistant', content: null },
        { role: 'assistant', content: '' },
        { role: 'assistant', content: [] },
        { role: 'assistant', content: 'Gone.' },
      ],
    },
    ['asked Go.', 'thought Gone.', 'source {}', 'omitted {"empty_message":3}'],
  ],
]);
