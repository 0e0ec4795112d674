import { describeShapes, Lines } from '../../../test/shapes.ts';

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
const exchange = (request: unknown, response: unknown, fields: object = {}): object => ({
  uri: 'https://api.example/v1/models/gemini-pro:generateContent',
  method: 'POST',
  request,
  response,
  ...fields,
});

describeShapes('api-traffic', [
  [
    'calls without ids, to which the client gives some; two of them are the same',
    [
      {
        uri: 'https://x.test/v1/chat/completions',
        method: 'POST',
        request: { body: { messages: [{ role: 'user', content: 'Go.' }] } },
        response: {
          body: {
            choices: [
              {
                message: {
                  role: 'assistant',
                  tool_calls: ['f', 'f'].map((name) => ({ function: { name, arguments: '{}' } })),
                },
              },
            ],
          },
        },
      },
      {
        uri: 'https://x.test/v1/chat/completions',
        method: 'POST',
        request: {
          body: {
            messages: [
              { role: 'user', content: 'Go.' },
              {
                role: 'assistant',
                tool_calls: ['a', 'b'].map((id) => ({
                  id,
                  function: { name: 'f', arguments: '{}' },
                })),
              },
              { role: 'tool', tool_call_id: 'a', content: 'A.' },
              { role: 'tool', tool_call_id: 'b', content: 'B.' },
            ],
          },
        },
        response: { body: { choices: [{ message: { role: 'assistant', content: 'Done.' } }] } },
      },
    ],
    [
      'asked Go.',
      'tool_call f {}',
      'tool_call f {}',
      'observation A.',
      'observation B.',
      'thought Done.',
      'source {}',
      'step 0: a',
      'step 1: b',
      'step 2: a',
      'step 3: b',
    ],
  ],
  [
    'a cassette of VCR for Ruby, and an answer with settings in its field `text`',
    {
      http_interactions: [
        {
          request: {
            method: 'post',
            uri: 'https://x.test/v1/responses',
            body: { encoding: 'UTF-8', string: '{"model":"m","input":"Go."}' },
          },
          response: {
            status: { code: 200 },
            parsed_body: {
              object: 'response',
              text: { format: { type: 'text' } },
              output: [
                {
                  type: 'message',
                  role: 'assistant',
                  content: [{ type: 'output_text', text: 'Done.' }],
                },
              ],
            },
          },
        },
      ],
    },
    ['asked Go.', 'thought Done.', 'source {}', 'model m'],
  ],
  [
    'a single answer of the chat API',
    {
      object: 'chat.completion',
      model: 'm',
      choices: [{ message: { role: 'assistant', content: 'Gone.' } }],
    },
    ['asked (no objective recorded)', 'thought Gone.', 'source {}', 'model m'],
  ],
  [
    'a single answer of Gemini',
    { candidates: [{ content: { role: 'model', parts: [{ text: 'Gone.' }] } }] },
    ['asked (no objective recorded)', 'thought Gone.', 'source {}'],
  ],
  [
    'a single answer of Bedrock',
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
    'cassettes with bodies as text, and a polled response',
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
    'chats whose answers have the same id',
    ['A', 'B'].map((task) =>
      exchange(
        { messages: [user(`Task ${task}.`)] },
        {
          id: 'chatcmpl-7',
          object: 'chat.completion',
          choices: [{ message: { role: 'assistant', content: `Answer ${task}.` } }],
        },
        { uri: 'http://localhost:11434/v1/chat/completions' },
      ),
    ),
    [
      'asked Task A.',
      'thought Answer A.',
      'observation Task B.',
      'thought Answer B.',
      'source {}',
      'step 1: user',
    ],
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
    'streamed answers',
    [exchange({ model: 'm', messages: [user('Go.')] }, { body: 'data: {}' })],
    [
      'error line 1: responses: expected answers that are recorded, received "none, as when they are g…"',
    ],
  ],
  [
    'a recording of nock',
    [
      {
        scope: 'https://api.anthropic.com:443',
        method: 'POST',
        path: '/v1/messages',
        body: { model: 'claude', messages: [{ role: 'user', content: 'Hi.' }] },
        status: 200,
        response: {
          role: 'assistant',
          content: [{ type: 'tool_use', id: 'c1', name: 'f', input: { a: 1 } }],
        },
      },
    ],
    ['asked Hi.', 'tool_call f {"a":1}', 'source {}', 'model claude', 'step 0: c1'],
  ],
  [
    'a recording of llama-stack, whose answer is a list of chunks with their types',
    {
      test_id: 't',
      request: {
        method: 'POST',
        url: 'http://localhost/v1/chat/completions',
        body: { model: 'm', messages: [user('Go.')] },
      },
      response: {
        body: ['Go', 'ne.'].map((content) => ({
          __type__: 'openai.types.chat.ChatCompletionChunk',
          __data__: { id: 'r', choices: [{ delta: { content } }] },
        })),
        is_streaming: true,
      },
    },
    ['asked Go.', 'thought Gone.', 'source {}', 'model m'],
  ],
  [
    'answers that Gemini CLI replays in its tests',
    {
      method: 'generateContentStream',
      response: [
        { candidates: [{ content: { parts: [{ functionCall: { name: 'f', args: { a: 1 } } }] } }] },
      ],
    },
    ['asked (no objective recorded)', 'tool_call f {"a":1}', 'source {}'],
  ],
  [
    'a call that the API refused',
    [
      {
        scope: 'https://bedrock-runtime.us-east-1.amazonaws.com:443',
        method: 'POST',
        path: '/model/none/converse',
        body: { messages: [{ role: 'user', content: [{ text: 'Go.' }] }] },
        status: 400,
        response: { message: 'The model is invalid.' },
      },
    ],
    ['crashed The model is invalid.'],
  ],
  [
    'a model of Bedrock that takes and gives a text',
    [
      {
        scope: 'https://bedrock-runtime.us-east-1.amazonaws.com:443',
        method: 'POST',
        path: '/model/amazon.titan/invoke',
        body: { inputText: 'Weather?' },
        status: 200,
        response: { results: [{ outputText: 'Rain.' }] },
      },
    ],
    ['asked Weather?', 'thought Rain.', 'source {}', 'model amazon.titan'],
  ],
  [
    'replays of the Google Gen AI SDK, whose contents may lack a role',
    {
      replay_id: 'a/b',
      interactions: [
        {
          request: {
            method: 'post',
            url: '{URL}/models/gemini-flash:generateContent',
            headers: {},
            body_segments: [{ contents: [{ parts: [{ text: 'Go.' }] }] }],
          },
          response: {
            status_code: 200,
            headers: {},
            body_segments: [
              { candidates: [{ content: { role: 'model', parts: [{ text: 'Gone.' }] } }] },
            ],
          },
        },
      ],
    },
    ['asked Go.', 'thought Gone.', 'source {}', 'model gemini-flash'],
  ],
  [
    'a body in base64',
    {
      interactions: [
        {
          request: {
            method: 'POST',
            url: 'https://api.example/v1/chat/completions',
            content: { model: 'm', messages: [user('Go.')] },
          },
          response: {
            status_code: 200,
            headers: {},
            content: {
              encoding: 'base64',
              data: btoa('{"choices":[{"message":{"role":"assistant","content":"Gone."}}]}'),
            },
          },
        },
      ],
    },
    ['asked Go.', 'thought Gone.', 'source {}', 'model m'],
  ],
  [
    'an answer without its request',
    { status: 200, headers: {}, body: '{"type":"message","role":"assistant","content":"Gone."}' },
    ['asked (no objective recorded)', 'thought Gone.', 'source {}'],
  ],
  [
    'the events of a streamed answer, one per line',
    new Lines(
      { candidates: [{ content: { parts: [{ text: 'It ' }] } }], responseId: 'r' },
      { candidates: [{ content: { parts: [{ text: 'rains.' }] } }], responseId: 'r' },
    ),
    ['asked (no objective recorded)', 'thought It rains.', 'source {}'],
  ],
  [
    "Gemini's Interactions API",
    [
      exchange(
        { input: [{ role: 'user', content: [{ type: 'text', text: 'Weather?' }] }] },
        {
          status: 'requires_action',
          outputs: [
            { type: 'thought', signature: 'x' },
            { type: 'function_call', id: 'c1', name: 'f', arguments: { a: 1 } },
          ],
        },
      ),
    ],
    ['asked Weather?', 'tool_call f {"a":1}', 'source {}', 'model gemini-pro', 'step 0: c1'],
  ],
]);
