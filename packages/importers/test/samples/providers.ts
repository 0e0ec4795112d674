import type { FormatSample } from './index.ts';

const OBJECTIVE = 'What is the weather in Oslo?';
const STEPS = [
  'thought I have to look.',
  'tool_call get_weather {"city":"Oslo"}',
  'observation Rain.',
  'thought It rains.',
];

const BEDROCK = [
  { role: 'user', content: [{ text: OBJECTIVE }] },
  {
    role: 'assistant',
    content: [
      { reasoningContent: { reasoningText: { text: 'I have to look.', signature: 'x' } } },
      { toolUse: { toolUseId: 't1', name: 'get_weather', input: { city: 'Oslo' } } },
    ],
  },
  {
    role: 'user',
    content: [{ toolResult: { toolUseId: 't1', content: [{ text: 'Rain.' }], status: 'success' } }],
  },
  { role: 'assistant', content: [{ text: 'It rains.' }] },
];

/** By the types Message and ContentBlock of @aws-sdk/client-bedrock-runtime. */
export const bedrock: FormatSample[] = [
  {
    format: 'bedrock-converse',
    name: 'a request with its response',
    text: JSON.stringify({
      modelId: 'amazon.nova',
      messages: BEDROCK.slice(0, 3),
      output: { message: BEDROCK[3] },
    }),
    objective: OBJECTIVE,
    steps: STEPS,
    facts: ['source {}', 'step 1: t1', 'step 2: t1'],
  },
  {
    format: 'bedrock-converse',
    name: 'messages by themselves, with nothing but text',
    text: JSON.stringify([BEDROCK[0], BEDROCK[3]]),
    objective: OBJECTIVE,
    steps: ['thought It rains.'],
    facts: ['source {}'],
  },
];

const CONTENTS = [
  { role: 'user', parts: [{ text: OBJECTIVE }] },
  {
    role: 'model',
    parts: [
      { text: 'I have to look.', thought: true },
      { functionCall: { name: 'get_weather', args: { city: 'Oslo' } } },
    ],
  },
  {
    role: 'user',
    parts: [{ functionResponse: { name: 'get_weather', response: { output: 'Rain.' } } }],
  },
  { role: 'model', parts: [{ text: 'It rains.' }] },
];

/** By the types Content and Part of @google/genai. */
export const gemini: FormatSample[] = [
  {
    format: 'gemini',
    name: 'a request with its response',
    text: JSON.stringify({
      request: { contents: CONTENTS.slice(0, 3) },
      response: { candidates: [{ content: CONTENTS[3], finishReason: 'STOP' }] },
    }),
    objective: OBJECTIVE,
    steps: [STEPS[0] ?? '', STEPS[1] ?? '', 'observation {"output":"Rain."}', STEPS[3] ?? ''],
    facts: ['source {}'],
  },
  {
    format: 'gemini',
    name: 'a history whose tool says what went wrong',
    text: JSON.stringify([
      ...CONTENTS.slice(0, 2),
      {
        role: 'user',
        parts: [{ functionResponse: { name: 'get_weather', response: { error: 'No station.' } } }],
      },
      { role: 'model', parts: [{ text: 'Nobody knows.' }] },
    ]),
    objective: OBJECTIVE,
    steps: [
      STEPS[0] ?? '',
      STEPS[1] ?? '',
      'observation {"error":"No station."}',
      'error_recovery Nobody knows.',
    ],
    facts: ['source {}', 'step 2: flag'],
  },
  {
    format: 'gemini',
    name: 'contents one a line',
    text: [CONTENTS[0], CONTENTS[3]].map((content) => JSON.stringify(content)).join('\n'),
    objective: OBJECTIVE,
    steps: ['thought It rains.'],
    facts: ['source {}'],
  },
];

const time = '2026-01-02T03:04:05.000Z';
const GEMINI_MESSAGES = [
  { id: 'm1', timestamp: time, type: 'user', content: [{ text: OBJECTIVE }] },
  { id: 'm2', timestamp: time, type: 'info', content: 'Update available' },
  {
    id: 'm3',
    timestamp: time,
    type: 'gemini',
    content: '',
    thoughts: [{ subject: 'Weather', description: 'I have to look.', timestamp: time }],
    model: 'gemini-2.5-flash',
    toolCalls: [
      {
        id: 'c1',
        name: 'get_weather',
        args: { city: 'Oslo' },
        result: [
          { functionResponse: { id: 'c1', name: 'get_weather', response: { output: 'Rain.' } } },
        ],
        status: 'success',
        timestamp: time,
      },
    ],
  },
  { id: 'm4', timestamp: time, type: 'gemini', content: 'It rains.' },
];
const SESSION = { sessionId: 's-1', projectHash: 'h', startTime: time, lastUpdated: time };
const GEMINI_STEPS = ['thought Weather: I have to look.', ...STEPS.slice(1)];

/** By ConversationRecord of gemini-cli's chatRecordingTypes.ts. */
export const geminiCli: FormatSample[] = [
  {
    format: 'gemini-cli',
    name: 'a session in one object',
    text: JSON.stringify({ ...SESSION, messages: GEMINI_MESSAGES }),
    objective: OBJECTIVE,
    steps: GEMINI_STEPS,
    facts: [
      'recorded at 2026-01-02T03:04:05.000Z',
      'framework gemini-cli',
      'source {"session_id":"s-1"}',
      'model gemini-2.5-flash',
      'omitted {"info":1}',
      'step 1: c1',
      'step 2: c1',
    ],
  },
  {
    format: 'gemini-cli',
    name: 'records one a line, with a rewind',
    text: [
      SESSION,
      ...GEMINI_MESSAGES,
      { id: 'm5', timestamp: time, type: 'user', content: 'Never mind.' },
      { $rewindTo: 'm5' },
      { $set: { summary: 'Weather' } },
    ]
      .map((record) => JSON.stringify(record))
      .join('\n'),
    objective: OBJECTIVE,
    steps: GEMINI_STEPS,
    facts: [
      'recorded at 2026-01-02T03:04:05.000Z',
      'framework gemini-cli',
      'source {"session_id":"s-1"}',
      'model gemini-2.5-flash',
      'omitted {"info":1}',
      'step 1: c1',
      'step 2: c1',
    ],
  },
];

/** By the types Session and Event of @google/adk, and those of adk-python. */
export const googleAdk: FormatSample[] = [
  {
    format: 'google-adk',
    name: 'a session',
    text: JSON.stringify({
      id: 's-1',
      appName: 'weather',
      userId: 'u',
      events: CONTENTS.map((content, index) => ({
        id: `e${index}`,
        invocationId: 'i1',
        author: content.role === 'model' || index === 2 ? 'weather_agent' : 'user',
        content,
        timestamp: 1767323045 + index,
      })),
    }),
    objective: OBJECTIVE,
    steps: [STEPS[0] ?? '', STEPS[1] ?? '', 'observation {"output":"Rain."}', STEPS[3] ?? ''],
    facts: [
      'recorded at 2026-01-02T03:04:05.000Z',
      'agent weather_agent',
      'framework google-adk',
      'source {"id":"s-1","app_name":"weather","user_id":"u"}',
    ],
  },
  {
    format: 'google-adk',
    name: 'events of Python one a line',
    text: [
      { author: 'user', content: { role: 'user', parts: [{ text: OBJECTIVE }] } },
      {
        author: 'helper',
        content: {
          role: 'model',
          parts: [{ function_call: { id: 'f1', name: 'get_weather', args: { city: 'Oslo' } } }],
        },
      },
      {
        author: 'helper',
        content: {
          role: 'user',
          parts: [
            { function_response: { id: 'f1', name: 'get_weather', response: { result: 'Rain.' } } },
          ],
        },
      },
    ]
      .map((event) => JSON.stringify({ invocation_id: 'i1', id: 'e', timestamp: 1, ...event }))
      .join('\n'),
    objective: OBJECTIVE,
    steps: ['tool_call get_weather {"city":"Oslo"}', 'observation {"result":"Rain."}'],
    facts: [
      'recorded at 1970-01-01T00:00:01.000Z',
      'agent helper',
      'framework google-adk',
      'source {}',
      'step 0: f1',
      'step 1: f1',
    ],
  },
];

const exchange = (request: object, response: object): object => ({
  uri: 'https://api.example/v1',
  method: 'POST',
  status: { code: 200 },
  request,
  response,
});

export const apiTraffic: FormatSample[] = [
  {
    format: 'api-traffic',
    name: 'Anthropic, with the history sent again',
    text: JSON.stringify([
      exchange(
        { model: 'claude', messages: [{ role: 'user', content: OBJECTIVE }] },
        {
          id: 'm1',
          type: 'message',
          role: 'assistant',
          content: [
            { type: 'thinking', thinking: 'I have to look.', signature: 'x' },
            { type: 'tool_use', id: 't1', name: 'get_weather', input: { city: 'Oslo' } },
          ],
        },
      ),
      exchange(
        {
          model: 'claude',
          messages: [
            { role: 'user', content: OBJECTIVE },
            {
              role: 'assistant',
              content: [
                { type: 'tool_use', id: 't1', name: 'get_weather', input: { city: 'Oslo' } },
              ],
            },
            {
              role: 'user',
              content: [{ type: 'tool_result', tool_use_id: 't1', content: 'Rain.' }],
            },
          ],
        },
        {
          id: 'm2',
          type: 'message',
          role: 'assistant',
          content: [{ type: 'text', text: 'It rains.' }],
        },
      ),
    ]),
    objective: OBJECTIVE,
    steps: STEPS,
    facts: ['source {}', 'model claude', 'step 1: t1', 'step 2: t1'],
  },
  {
    format: 'api-traffic',
    name: 'OpenAI chat in a HAR file, the first answer streamed',
    text: JSON.stringify({
      log: {
        entries: [
          [{ role: 'user', content: OBJECTIVE }],
          [
            { role: 'user', content: OBJECTIVE },
            {
              role: 'assistant',
              content: 'I have to look.',
              tool_calls: [
                { id: 'c1', function: { name: 'get_weather', arguments: '{"city":"Oslo"}' } },
              ],
            },
            { role: 'tool', tool_call_id: 'c1', content: 'Rain.' },
          ],
        ].map((messages, index) => ({
          request: {
            method: 'POST',
            url: 'https://api.example/v1/chat/completions',
            postData: { text: JSON.stringify({ model: 'gpt', messages }) },
          },
          response: {
            status: 200,
            content: {
              text:
                index === 0
                  ? 'data: {}'
                  : JSON.stringify({
                      choices: [{ message: { role: 'assistant', content: 'It rains.' } }],
                    }),
            },
          },
        })),
      },
    }),
    objective: OBJECTIVE,
    steps: STEPS,
    facts: ['source {}', 'model gpt', 'step 1: c1', 'step 2: c1'],
  },
];
