import { describeShapes } from '../../../test/shapes.ts';

describeShapes('langchain', [
  [
    'the values of a state, and calls in the notation of the provider',
    {
      values: {
        messages: [
          { type: 'human', content: 'Go.' },
          {
            type: 'ai',
            content: [
              { type: 'text', text: 'Look.' },
              { type: 'tool_use', id: 'x', name: 'not this', input: {} },
            ],
            additional_kwargs: {
              tool_calls: [{ id: 'c', function: { name: 'f', arguments: '{}' } }],
            },
          },
          { type: 'tool', content: 'no', tool_call_id: 'c', status: 'error' },
          { type: 'ai', content: [{ type: 'tool_use', id: 'd', name: 'g', input: {} }] },
          {
            type: 'ai',
            content: '',
            invalid_tool_calls: [{ id: 'e', name: 'h', args: 'no JSON' }],
          },
          { type: 'ai', content: ' ' },
          { type: 'remove', content: '' },
          { type: 'chat', content: 'Words.' },
          { type: 'developer', content: 'x' },
          { type: 'function', content: 'y' },
        ],
      },
      thread_id: 't',
      created_at: '2026-01-02T03:04:05Z',
    },
    [
      'asked Go.',
      'thought Look.',
      'tool_call f {}',
      'observation no',
      'error_recovery g {}',
      'tool_call h no JSON',
      'observation Words.',
      'observation y',
      'recorded at 2026-01-02T03:04:05.000Z',
      'framework langchain',
      'source {"thread_id":"t"}',
      'omitted {"empty_message":1,"removed_message":1}',
      'step 1: c',
      'step 2: c, flag',
      'step 3: d',
      'step 4: e',
      'step 5: chat',
    ],
  ],
  [
    'constructors and data',
    [
      { lc: 1, id: ['langchain', 'HumanMessage'], kwargs: { content: 'Go.' } },
      { lc: 1, id: ['langchain', 'AIMessageChunk'], kwargs: { content: 'Gone.' } },
      { type: 'system', data: { content: 'x' } },
    ],
    ['asked Go.', 'thought Gone.', 'framework langchain', 'source {}'],
  ],
]);
