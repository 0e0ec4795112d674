import { describeShapes } from '../../../test/shapes.ts';

const message = (id: string, role: string, ...content: object[]) => ({
  type: 'message',
  message: { id, role, created: 1767323045, content },
});
const text = (words: string) => ({ type: 'text', text: words });
const call = {
  type: 'toolRequest',
  id: 't1',
  toolCall: { status: 'success', value: { name: 'developer__shell', arguments: { command: 'w' } } },
};

describeShapes('goose', [
  [
    'a stream whose text comes in parts',
    [
      message('u', 'user', text('Weather in Oslo?')),
      { type: 'notification', extension_id: 'developer', message: 'started' },
      message('a', 'assistant', text('I ')),
      message('a', 'assistant', text('look.'), call),
      { type: 'complete', total_tokens: 12 },
    ],
    [
      'asked Weather in Oslo?',
      'thought I look.',
      'tool_call developer__shell {"command":"w"}',
      'recorded at 2026-01-02T03:04:05.000Z',
      'framework goose',
      'source {}',
      'shell_tools one',
      'step 1: t1',
    ],
  ],
  [
    'a stream that ends in an error',
    [
      message('u', 'user', text('Weather in Oslo?')),
      { type: 'model_change', model: 'gpt-5', mode: 'lead' },
      message('a', 'assistant', text('I look.')),
      { type: 'error', error: 'Rate limit exceeded' },
    ],
    [
      'asked Weather in Oslo?',
      'thought I look.',
      'recorded at 2026-01-02T03:04:05.000Z',
      'recorded false',
      'framework goose',
      'source {}',
      'verdict error',
      'model gpt-5',
    ],
  ],
  [
    'a summary that only the model sees',
    {
      working_dir: '/',
      conversation: [
        message('u', 'user', text('Weather in Oslo?')).message,
        {
          ...message('s', 'user', text('The user asked about Oslo.')).message,
          metadata: { userVisible: false, agentVisible: true },
        },
        message('a', 'assistant', text('It rains.')).message,
      ],
    },
    [
      'asked Weather in Oslo?',
      'thought It rains.',
      'recorded at 2026-01-02T03:04:05.000Z',
      'framework goose',
      'source {}',
      'omitted {"compaction":1}',
    ],
  ],
  [
    'an error after which the agent answers',
    [
      message('u', 'user', text('Weather in Oslo?')),
      { type: 'error', error: 'Rate limit exceeded' },
      message('a', 'assistant', text('It rains.')),
    ],
    [
      'asked Weather in Oslo?',
      'thought It rains.',
      'recorded at 2026-01-02T03:04:05.000Z',
      'framework goose',
      'source {}',
    ],
  ],
]);
