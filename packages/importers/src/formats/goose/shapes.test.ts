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

const RETRY = 'Please retry if you think this is a transient or recoverable error.';
const RESEND = 'Please resend your message to try again.';
const NO_CREDITS = {
  type: 'systemNotification',
  notificationType: 'creditsExhausted',
  msg: 'Please add credits.',
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
  [
    'errors that Goose reports in place of the agent',
    [
      message('u', 'user', text('Weather in Oslo?')),
      message('a', 'assistant', call),
      message('b', 'assistant', text(`Ran into this error: Quota exceeded.\n\n${RETRY}`)),
      message('c', 'assistant', { type: 'systemNotification', notificationType: 'inlineMessage' }),
      { type: 'complete', total_tokens: 3 },
    ],
    [
      'asked Weather in Oslo?',
      'tool_call developer__shell {"command":"w"}',
      'recorded at 2026-01-02T03:04:05.000Z',
      'recorded false',
      'framework goose',
      'source {}',
      'verdict error',
      'shell_tools one',
      'omitted {"error":1,"systemNotification":1}',
      'step 0: t1',
    ],
  ],
  [
    'an account without credits',
    [message('u', 'user', text('Weather in Oslo?')), message('a', 'assistant', NO_CREDITS)],
    ['crashed Please add credits.'],
  ],
  [
    'a network error after which the agent quotes another',
    [
      message('u', 'user', text('Weather in Oslo?')),
      message('a', 'assistant', text(`Network error: reset\n\n${RESEND}`)),
      message('b', 'assistant', text(`The log says: Ran into this error: No.\n\n${RETRY}`)),
    ],
    [
      'asked Weather in Oslo?',
      `thought The log says: Ran into this error: No.\n\n${RETRY}`,
      'recorded at 2026-01-02T03:04:05.000Z',
      'framework goose',
      'source {}',
      'omitted {"error":1}',
    ],
  ],
]);
