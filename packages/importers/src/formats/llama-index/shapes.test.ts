import { describeShapes } from '../../../test/shapes.ts';

describeShapes('llama-index', [
  [
    'a chat store without blocks, as earlier versions write it',
    {
      store: {
        u1: [
          { role: 'user', content: 'Weather in Oslo?', additional_kwargs: {} },
          {
            role: 'assistant',
            content: null,
            additional_kwargs: {
              tool_calls: [
                { id: 'c1', type: 'function', function: { name: 'weather', arguments: '{}' } },
              ],
            },
          },
          {
            role: 'tool',
            content: 'Rain.',
            additional_kwargs: { name: 'weather', tool_call_id: 'c1' },
          },
          { role: 'assistant', content: 'It rains.', additional_kwargs: {} },
        ],
        u2: [],
      },
      class_name: 'SimpleChatStore',
    },
    [
      'asked Weather in Oslo?',
      'tool_call weather {}',
      'observation Rain.',
      'thought It rains.',
      'framework llama-index',
      'source {"chat_id":"u1"}',
      'step 0: c1',
      'step 1: c1',
    ],
  ],
]);
