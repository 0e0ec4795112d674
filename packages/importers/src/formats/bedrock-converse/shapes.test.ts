import { describeShapes } from '../../../test/shapes.ts';

describeShapes('bedrock-converse', [
  [
    'blocks of every kind',
    {
      response: { output: { message: { role: 'assistant', content: [{ text: 'Gone.' }] } } },
      request: {
        messages: [
          { role: 'user', content: [{ text: 'Go.' }] },
          {
            role: 'assistant',
            content: [
              { reasoningContent: { reasoningText: 'Thought.' } },
              { reasoningContent: { redactedContent: 'x' } },
              { toolUse: { toolUseId: 't1', name: 'f', input: {} } },
            ],
          },
          {
            role: 'user',
            content: [
              {
                toolResult: {
                  toolUseId: 't1',
                  status: 'error',
                  content: [{ json: { a: 1 } }, { image: {} }, 'plain', {}, { text: 'said' }],
                },
              },
            ],
          },
          { role: 'user', content: [{ toolResult: { toolUseId: 't2', content: 'alone' } }] },
        ],
      },
    },
    [
      'asked Go.',
      'thought Thought.',
      'tool_call f {}',
      'observation {"a":1}\n[image]\nplain\n[part]\nsaid',
      'observation alone',
      'error_recovery Gone.',
      'source {}',
      'omitted {"redacted_thinking":1}',
      'step 1: t1',
      'step 2: t1, flag',
      'step 3: t2, orphan',
    ],
  ],
]);
