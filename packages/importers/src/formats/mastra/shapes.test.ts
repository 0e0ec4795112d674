import { describeShapes } from '../../../test/shapes.ts';

const at = (second: number): string => `2026-01-02T03:04:0${second}.000Z`;
const stored = (fields: object): object => ({ role: 'assistant', threadId: 't1', ...fields });

describeShapes('mastra', [
  [
    'two threads, instructions, and content without parts',
    [
      stored({ role: 'system', content: { format: 2, content: 'hidden' } }),
      stored({ role: 'user', content: { format: 2, content: 'Go.' }, created_at: at(1) }),
      stored({ content: { format: 3, parts: [{ type: 'text', text: 'Parts.' }] } }),
      stored({ content: 'Plain.' }),
      stored({ role: 'signal', content: 'hidden' }),
      stored({ threadId: 't2', content: { format: 2, parts: [], content: 'Other.' } }),
    ],
    [
      'asked Go.',
      'thought Parts.',
      'thought Plain.',
      'framework mastra',
      'source {"thread_id":"t1"}',
      'asked (no objective recorded)',
      'thought Other.',
      'framework mastra',
      'source {"thread_id":"t2"}',
    ],
  ],
  [
    'a call whose input does not fit its tool',
    [
      stored({ role: 'user', content: { format: 2, content: 'Go.' } }),
      stored({
        content: {
          format: 2,
          parts: [
            {
              type: 'tool-invocation',
              toolInvocation: {
                state: 'result',
                toolCallId: 'c1',
                toolName: 'weather',
                args: { town: 1 },
                result: { error: true, message: 'Input validation failed', validationErrors: {} },
              },
            },
          ],
        },
      }),
    ],
    [
      'asked Go.',
      'tool_call weather {"town":1}',
      'observation {"error":true,"message":"Input validation failed","validationErrors":{}}',
      'framework mastra',
      'source {"thread_id":"t1"}',
      'step 0: c1',
      'step 1: c1, flag',
    ],
  ],
]);
