import { describeShapes } from '../../../test/shapes.ts';

const user = (content: unknown): object => ({ role: 'user', content });
const agent = (content: unknown, fields: object = {}): object => ({
  role: 'assistant',
  content,
  ...fields,
});

describeShapes('anthropic', [
  [
    'results of the provider, errors, and text beside results',
    {
      model: 'm',
      messages: [
        user('Go.'),
        agent([
          { type: 'server_tool_use', id: 'c', name: 'f', input: {} },
          {
            type: 'web_search_tool_result',
            tool_use_id: 'c',
            content: { type: 'web_search_tool_result_error', code: 'x' },
          },
          { type: 'mcp_tool_use', id: 'd', name: 'g', input: {} },
          { type: 'mcp_tool_result', tool_use_id: 'd', content: [{ type: 'text', text: 'mine' }] },
          { type: 'redacted_thinking', data: 'x' },
          'plain',
        ]),
        user([
          { type: 'text', text: 'More.' },
          { type: 'tool_result', tool_use_id: 'e', is_error: true, content: 'no' },
          { type: 'tool_result', tool_use_id: 'f', is_error: false },
        ]),
        agent([]),
        agent(null),
        user(null),
        { role: 'system', content: 'x' },
        agent([
          { type: 'web_fetch_tool_result', tool_use_id: 'g', content: [{ a: 1 }] },
          { type: 'x_tool_result', tool_use_id: 'h' },
        ]),
      ],
    },
    [
      'asked Go.',
      'tool_call f {}',
      'observation {"type":"web_search_tool_result_error","code":"x"}',
      'error_recovery g {}',
      'observation mine',
      'thought plain',
      'observation no',
      'observation ',
      'observation More.',
      'observation ',
      'observation [{"a":1}]',
      'observation ""',
      'agent m',
      'source {}',
      'model m',
      'omitted {"redacted_thinking":1,"empty_message":2}',
      'step 0: c',
      'step 1: c, flag',
      'step 2: d',
      'step 3: d',
      'step 5: e, flag, orphan',
      'step 6: f, orphan',
      'step 7: user',
      'step 8: user',
      'step 9: g, orphan',
      'step 10: h, orphan',
    ],
  ],
  [
    'a request with its answer',
    {
      request: { messages: [user('Go.')] },
      response: {
        type: 'message',
        role: 'assistant',
        stop_reason: 'end',
        content: [{ type: 'text', text: 'Gone.' }],
      },
    },
    ['asked Go.', 'thought Gone.', 'source {}'],
  ],
]);
