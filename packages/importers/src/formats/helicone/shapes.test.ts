import { describeShapes } from '../../../test/shapes.ts';

const asked = { role: 'user', content: 'Go.' };

describeShapes('helicone', [
  [
    'a request that failed, and one whose bodies are texts',
    {
      data: [
        {
          request_id: 'a',
          request_created_at: '2026-01-02T03:04:05Z',
          response_status: 429,
          request_body: { model: 'm', messages: [asked] },
          response_body: { error: { message: 'rate limit' } },
        },
        {
          request_id: 'b',
          request_created_at: '2026-01-02T03:04:06Z',
          request_model: 'm',
          request_body: JSON.stringify({ messages: [asked] }),
          response_body: JSON.stringify({
            role: 'assistant',
            content: [{ type: 'tool_use', id: 'c1', name: 'f', input: {} }],
          }),
        },
      ],
    },
    [
      'crashed status 429',
      'asked Go.',
      'tool_call f {}',
      'recorded at 2026-01-02T03:04:06.000Z',
      'framework helicone',
      'source {"request_id":"b"}',
      'model m',
      'step 0: c1',
    ],
  ],
]);
