import { describeShapes } from '../../../test/shapes.ts';

const at = (second: number): string => `2026-01-02T03:04:0${second}.000Z`;
const stored = (fields: object): object => ({ role: 'assistant', threadId: 't1', ...fields });

describeShapes('mastra', [
  [
    'two threads, instructions, contents without parts',
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
]);
