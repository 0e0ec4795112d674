import { Lines, type Shape } from './index.ts';

const user = (content: string): object => ({ role: 'user', content });
const call = (id: string, fields: object = {}): object => ({
  type: 'function_call',
  call_id: id,
  name: 'f',
  arguments: '{}',
  ...fields,
});
const output = (id: string, value: unknown, fields: object = {}): object => ({
  type: 'function_call_output',
  call_id: id,
  output: value,
  ...fields,
});

const openaiResponses: Shape[] = [
  [
    'answers that failed, each in its own way',
    [
      user('Go.'),
      call('c1'),
      output('c1', 'x', { status: 'incomplete' }),
      call('c2'),
      output('c2', 'x', { status: 'failed' }),
      call('c3'),
      output('c3', { success: false, content: 'refused' }),
      call('c4'),
      output('c4', { success: true, content: 'taken' }),
      call('c5'),
      output('c5', 'Process exited with code 2\nno such file'),
      call('c6'),
      output('c6', 'a\nb\nc\nd\nExit code: 1'),
      call('c7'),
      output('c7', 'a\nb\nc\nd\ne\nExit code: 1'),
      call('c8'),
      output('c8', '{"output":"","metadata":{"exit_code": -1}}'),
      call('c9'),
      output('c9', '{"exit_code":0}'),
      call('c10'),
      output('c10', [
        { stdout: 'a', stderr: 'b', outcome: { type: 'exit', exit_code: 0 } },
        { stdout: 'c', outcome: { type: 'exit', exit_code: 3 } },
      ]),
      call('c11'),
      output('c11', [{ stderr: 'late', outcome: { type: 'timeout' } }]),
    ],
    [
      'asked Go.',
      'tool_call f {}',
      'observation x',
      'error_recovery f {}',
      'observation x',
      'error_recovery f {}',
      'observation refused',
      'error_recovery f {}',
      'observation taken',
      'tool_call f {}',
      'observation Process exited with code 2\nno such file',
      'error_recovery f {}',
      'observation a\nb\nc\nd\nExit code: 1',
      'error_recovery f {}',
      'observation a\nb\nc\nd\ne\nExit code: 1',
      'tool_call f {}',
      'observation {"output":"","metadata":{"exit_code": -1}}',
      'error_recovery f {}',
      'observation {"exit_code":0}',
      'tool_call f {}',
      'observation ab\nc',
      'error_recovery f {}',
      'observation late',
      'source {}',
      'step 0: c1',
      'step 1: c1, flag',
      'step 2: c2',
      'step 3: c2, flag',
      'step 4: c3',
      'step 5: c3, flag',
      'step 6: c4',
      'step 7: c4',
      'step 8: c5',
      'step 9: c5, exit_code',
      'step 10: c6',
      'step 11: c6, exit_code',
      'step 12: c7',
      'step 13: c7',
      'step 14: c8',
      'step 15: c8, exit_code',
      'step 16: c9',
      'step 17: c9',
      'step 18: c10',
      'step 19: c10, exit_code',
      'step 20: c11',
      'step 21: c11',
    ],
  ],
  [
    'calls with results in themselves, and items of other kinds',
    [
      {
        type: 'message',
        role: 'user',
        content: [
          { type: 'input_text', text: 'Go.' },
          7,
          { type: 'input_image' },
          { transcript: 'Said.' },
          {},
        ],
      },
      { type: 'message', role: 'assistant', content: [{ type: 'refusal', refusal: 'No.' }] },
      { type: 'reasoning', content: [{ text: 'Content.' }], summary: [{ text: 'Summary.' }] },
      { type: 'reasoning', rawContent: [{ text: 'Raw.' }], encrypted_content: 'x' },
      { type: 'reasoning', summary: [] },
      { type: 'compaction', id: 'x' },
      { type: 'mcp_approval_request', id: 'a1', name: 'send', arguments: '{}' },
      { type: 'mcp_approval_response', approval_request_id: 'a1', approve: false, reason: 'no' },
      { type: 'mcp_approval_request', id: 'a2', name: 'send', arguments: '{}' },
      { type: 'mcp_approval_response', approvalRequestId: 'a2', approve: false },
      { type: 'mcp_call', id: 'm1', name: 'send', arguments: '{}', output: 'sent', error: null },
      {
        type: 'local_shell_call',
        call_id: 's1',
        action: { type: 'exec', command: ['ls'] },
        status: 'failed',
        output: 'none',
      },
      { type: 'file_search_call', id: 'f1', queries: ['q'], results: [] },
      { type: 'code_interpreter_call', id: 'i1', code: '1', outputs: [{ type: 'image' }, {}] },
      { type: 'code_interpreter_call', id: 'i2', code: '2', outputs: 'text' },
      { type: 'tool_search_call', id: 't1', arguments: { q: 1 } },
      { type: 'tool_search_output', call_id: 't1', tools: [{ name: 'f' }] },
      { type: 'program_output', id: 'p1', result: 'printed' },
      { type: 'computer_call', call_id: '', id: 'k1', action: { type: 'click' } },
    ],
    [
      'asked Go.\n7\n[image]\nSaid.\n[part]',
      'thought No.',
      'thought Content.',
      'thought Raw.',
      'tool_call send {}',
      'observation no',
      'error_recovery send {}',
      'observation denied',
      'error_recovery send {}',
      'observation sent',
      'tool_call local_shell_call {"type":"exec","command":["ls"]}',
      'observation none',
      'error_recovery file_search_call ["q"]',
      'tool_call code_interpreter_call 1',
      'observation [image]\n[output]',
      'tool_call code_interpreter_call 2',
      'observation text',
      'tool_call tool_search_call {"q":1}',
      'observation [{"name":"f"}]',
      'observation printed',
      'tool_call computer_call {"type":"click"}',
      'source {}',
      'shell_tools one',
      'omitted {"image":1,"part":1,"redacted_thinking":1,"compaction":1}',
      'step 3: a1',
      'step 4: a1, flag',
      'step 5: a2',
      'step 6: a2, flag',
      'step 7: m1',
      'step 8: m1',
      'step 9: s1',
      'step 10: s1, flag',
      'step 11: f1',
      'step 12: i1',
      'step 13: i1',
      'step 14: i2',
      'step 15: i2',
      'step 16: t1',
      'step 17: t1',
    ],
  ],
  [
    'responses of two conversations, one of which failed',
    new Lines(
      {
        object: 'response',
        id: 'r1',
        conversation: { id: 'v1' },
        input: 'Go.',
        output: [call('c1')],
        model: 'm',
        created_at: 1e99,
      },
      { object: 'response', id: 'r2', input: 'Second.', output: [call('c2')] },
      {
        object: 'response',
        id: 'r3',
        conversation: { id: 'v1' },
        input: [output('c1', 'x')],
        output: [
          { type: 'message', role: 'assistant', content: [{ type: 'output_text', text: 'Gone.' }] },
        ],
      },
      {
        object: 'response',
        id: 'r4',
        previous_response_id: 'r2',
        input: [output('c2', 'y')],
        output: [],
        status: 'failed',
        error: { code: 'server_error' },
      },
    ),
    [
      'asked Go.',
      'tool_call f {}',
      'observation x',
      'thought Gone.',
      'source {"id":"r1"}',
      'model m',
      'step 0: c1',
      'step 1: c1',
      'asked Second.',
      'tool_call f {}',
      'observation y',
      'recorded false',
      'source {"id":"r2"}',
      'verdict error',
      'step 0: c2',
      'step 1: c2',
    ],
  ],
  [
    'a failure without an error, and one that was overcome',
    [
      {
        object: 'response',
        id: 'r1',
        input: 'Go.',
        output: [call('c1')],
        status: 'failed',
        error: { code: 'x' },
      },
      {
        object: 'response',
        id: 'r2',
        previous_response_id: 'r1',
        output: [call('c2')],
        status: 'failed',
        error: null,
      },
    ],
    [
      'asked Go.',
      'tool_call f {}',
      'tool_call f {}',
      'source {"id":"r1"}',
      'step 0: c1',
      'step 1: c2',
    ],
  ],
  [
    'a list of items',
    { object: 'list', data: [{ type: 'message', role: 'user', content: 'Go.' }, call('c1')] },
    ['asked Go.', 'tool_call f {}', 'source {}', 'step 0: c1'],
  ],
  [
    'items under that name',
    { items: [user('Go.'), call('c1')], id: 'x' },
    ['asked Go.', 'tool_call f {}', 'source {"id":"x"}', 'step 0: c1'],
  ],
  [
    'a request with its response',
    { request: { input: 'Go.' }, response: { output: [call('c1')] } },
    ['asked Go.', 'tool_call f {}', 'source {}', 'step 0: c1'],
  ],
];

const usage = { requests: 1 };

const openaiAgents: Shape[] = [
  [
    'run items by themselves',
    new Lines(
      { type: 'tool_call_item', raw_item: call('c1') },
      { type: 'tool_call_output_item', raw_item: output('c1', 'x') },
    ),
    [
      'asked (no objective recorded)',
      'tool_call f {}',
      'observation x',
      'source {}',
      'step 0: c1',
      'step 1: c1',
    ],
  ],
  [
    'a result that holds its state',
    {
      state: {
        $schemaVersion: '1.0',
        last_agent: { name: 'Last' },
        conversation_id: 'v1',
        trace: { id: 'trace_1' },
        generatedItems: [],
        rawResponses: [{ usage, output: [call('c1')] }],
        input: 'Go.',
      },
    },
    [
      'asked Go.',
      'tool_call f {}',
      'agent Last',
      'framework openai-agents',
      'source {"conversation_id":"v1","trace_id":"trace_1"}',
      'step 0: c1',
    ],
  ],
  [
    'an answer that is no run item',
    {
      newItems: [
        { type: 'handoff', rawItem: call('c0') },
        { type: 'tool_call_item', rawItem: call('c1') },
      ],
      input: 'Go.',
      lastAgent: 'text',
    },
    [
      'asked Go.',
      'tool_call f {}',
      'tool_call f {}',
      'framework openai-agents',
      'source {}',
      'step 0: c0',
      'step 1: c1',
    ],
  ],
];

const exchange = (request: unknown, response: unknown, fields: object = {}): object => ({
  uri: 'https://api.example/v1/models/gemini-pro:generateContent',
  method: 'POST',
  request,
  response,
  ...fields,
});

const apiTraffic: Shape[] = [
  [
    'an answer of chat by itself',
    {
      object: 'chat.completion',
      model: 'm',
      choices: [{ message: { role: 'assistant', content: 'Gone.' } }],
    },
    ['asked (no objective recorded)', 'thought Gone.', 'source {}', 'model m'],
  ],
  [
    'an answer of Gemini by itself',
    { candidates: [{ content: { role: 'model', parts: [{ text: 'Gone.' }] } }] },
    ['asked (no objective recorded)', 'thought Gone.', 'source {}'],
  ],
  [
    'an answer of Bedrock by itself',
    {
      output: { message: { role: 'assistant', content: [{ text: 'Gone.' }] } },
      stopReason: 'end_turn',
    },
    ['asked (no objective recorded)', 'thought Gone.', 'source {}'],
  ],
  [
    'Gemini, whose model is in the address',
    [
      exchange(
        { contents: [{ role: 'user', parts: [{ text: 'Go.' }] }] },
        { candidates: [{ content: { role: 'model', parts: [{ text: 'Gone.' }] } }] },
      ),
    ],
    ['asked Go.', 'thought Gone.', 'source {}', 'model gemini-pro'],
  ],
  [
    'cassettes with bodies as texts, a response that was asked for until it was ready',
    {
      interactions: [
        {
          request: { uri: 'u', method: 'POST', headers: {}, body: '{"input":"Go.","model":"m"}' },
          response: {
            body: { string: JSON.stringify({ id: 'r1', output: [call('c0')] }) },
          },
        },
        {
          request: { uri: 'u', method: 'GET', headers: {} },
          response: { parsed_body: { id: 'r1', output: [call('c1')] }, body: 'not this' },
        },
        {
          request: { uri: 'u', method: 'POST', headers: {}, body: 'no JSON' },
          response: { headers: {} },
        },
        { request: { method: 'POST' }, response: {} },
        { request: { uri: 'u' }, response: {} },
        { uri: 'u', method: 'POST', request: { input: [output('c1', 'x')] } },
      ],
    },
    ['asked Go.', 'tool_call f {}', 'source {}', 'model m', 'step 0: c1'],
  ],
  [
    'Bedrock',
    [
      exchange(
        { messages: [{ role: 'user', content: [{ text: 'Go.' }] }] },
        { output: { message: { role: 'assistant', content: [{ text: 'Gone.' }] } } },
        { uri: 'https://b/model/nova/converse' },
      ),
    ],
    ['asked Go.', 'thought Gone.', 'source {}', 'model nova'],
  ],
  [
    'answers given in a stream',
    [exchange({ model: 'm', messages: [user('Go.')] }, { body: 'data: {}' })],
    [
      'error line 1: responses: expected answers that are recorded, received "none, as when they are g…"',
    ],
  ],
];

const bedrock: Shape[] = [
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
];

const gemini: Shape[] = [
  [
    'a checkpoint',
    {
      clientHistory: [
        { role: 'user', parts: [{ text: 'Go.' }] },
        {
          role: 'model',
          parts: [
            { functionCall: { name: 'f', args: {} } },
            { inlineData: { mimeType: 'image/png' } },
          ],
        },
      ],
    },
    ['asked Go.', 'tool_call f {}', 'source {}', 'omitted {"part":1}'],
  ],
  [
    'tools that say nothing went wrong',
    [
      { role: 'user', parts: [{ text: 'Go.' }] },
      ...[null, false, '', { code: 1 }].flatMap((error, index) => [
        { role: 'model', parts: [{ functionCall: { id: `c${index}`, name: 'f', args: {} } }] },
        {
          role: 'user',
          parts: [{ functionResponse: { id: `c${index}`, name: 'f', response: { error } } }],
        },
      ]),
    ],
    [
      'asked Go.',
      'tool_call f {}',
      'observation {"error":null}',
      'tool_call f {}',
      'observation {"error":false}',
      'tool_call f {}',
      'observation {"error":""}',
      'tool_call f {}',
      'observation {"error":{"code":1}}',
      'source {}',
      'step 0: c0',
      'step 1: c0',
      'step 2: c1',
      'step 3: c1',
      'step 4: c2',
      'step 5: c2',
      'step 6: c3',
      'step 7: c3, flag',
    ],
  ],
];

const exchanges: Shape[] = [
  [
    'what is sent again is read once, what is said again is said',
    [
      exchange(
        { messages: [user('Go.')] },
        { choices: [{ message: { role: 'assistant', content: 'Hm.' } }] },
      ),
      exchange(
        { messages: [user('Go.'), { role: 'assistant', content: 'Hm.' }, user('Go.')] },
        { choices: [{ message: { role: 'assistant', content: 'Hm.' } }] },
      ),
      exchange(
        {
          messages: [
            { role: 'system', content: 'hidden' },
            { role: 'developer', content: 'hidden' },
            user('Go.'),
            { role: 'assistant', content: 'Hm.' },
            user('Go.'),
            { role: 'assistant', content: 'Hm.' },
            { role: 'assistant', content: [] },
            { role: 'user', content: [{ type: 'image_url' }] },
            { role: 'critic', content: 'Bad.' },
          ],
        },
        {
          choices: [
            {
              message: {
                role: 'assistant',
                content: null,
                tool_calls: [
                  { function: { name: 'f', arguments: '{}' } },
                  { function: { name: 'f', arguments: '{}' } },
                ],
              },
            },
          ],
        },
      ),
      exchange(
        {
          messages: [
            {
              role: 'assistant',
              content: 'In other words.',
              tool_calls: [{ id: 'c1', function: { name: 'g', arguments: '{}' } }],
            },
            { role: 'tool', content: 'x' },
            { role: 'tool', content: 'x' },
            { role: 'tool', tool_call_id: 'c1', content: 'y' },
            { role: 'tool', tool_call_id: 'c1', content: 'z' },
          ],
        },
        { choices: [{ message: { role: 'assistant', content: 'End.' } }] },
      ),
      exchange(
        {
          messages: [
            {
              role: 'assistant',
              content: 'In other words still.',
              tool_calls: [{ id: 'c1', function: { name: 'g', arguments: '{}' } }],
            },
          ],
        },
        { choices: [{ message: { role: 'assistant', content: 'End.' } }] },
      ),
    ],
    [
      'asked Go.',
      'thought Hm.',
      'observation Go.',
      'thought Hm.',
      'observation [image]',
      'observation Bad.',
      'tool_call f {}',
      'tool_call f {}',
      'thought In other words.',
      'tool_call g {}',
      'observation x',
      'observation x',
      'observation y',
      'thought End.',
      'thought End.',
      'source {}',
      'model gemini-pro',
      'omitted {"empty_message":1,"image":1}',
      'step 1: user',
      'step 3: user',
      'step 4: critic',
      'step 8: c1',
      'step 11: c1',
    ],
  ],
];

/** Of APIs, by format. */
export const apis: Readonly<Record<string, readonly Shape[]>> = {
  openaiResponses,
  openaiAgents,
  apiTraffic,
  bedrock,
  gemini,
  exchanges,
};
