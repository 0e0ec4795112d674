import type { FormatSample } from './index.ts';

const OBJECTIVE = 'What is the weather in Oslo?';
const ASKED = 'tool_call get_weather {"city":"Oslo"}';
const STEPS = ['thought I have to look.', ASKED, 'observation Rain.', 'thought It rains.'];
const time = '2026-01-02T03:04:05.000Z';
const lines = (values: readonly unknown[]): string =>
  values.map((value) => JSON.stringify(value)).join('\n');

const EVENTS = [
  { id: 0, source: 'agent', action: 'system', args: { content: 'You are an agent.' } },
  { id: 1, source: 'user', action: 'message', args: { content: OBJECTIVE } },
  { id: 2, source: 'agent', action: 'run', args: { command: 'ls x', thought: 'I look.' } },
  {
    id: 3,
    source: 'agent',
    observation: 'run',
    cause: 2,
    content: 'no such file',
    extras: { metadata: { exit_code: 2 } },
  },
  { id: 4, source: 'agent', action: 'think', args: { thought: 'Odd.' } },
  { id: 5, source: 'agent', observation: 'think', cause: 4, content: 'Noted.' },
  { id: 6, source: 'agent', action: 'finish', args: { final_thought: 'Nothing there.' } },
].map((event) => ({ timestamp: time, ...event }));

/** By the events of OpenHands, `openhands/events`, and output.jsonl of its evaluations. */
export const openHands: FormatSample[] = [
  {
    format: 'openhands',
    name: 'a result with pairs of events',
    text: JSON.stringify({
      instance_id: 'a__b-1',
      instance: { problem_statement: 'Fix it.' },
      metadata: { llm_config: { model: 'm' } },
      history: [[EVENTS[1], EVENTS[1]].slice(0, 1), [EVENTS[2], EVENTS[3]], [EVENTS[6]]],
      test_result: { git_patch: 'diff' },
      error: null,
    }),
    objective: 'Fix it.',
    steps: [
      'thought I look.',
      'tool_call run {"command":"ls x"}',
      'observation no such file',
      'error_recovery Nothing there.',
    ],
    facts: [
      'recorded at 2026-01-02T03:04:05.000Z',
      'framework openhands',
      'result diff',
      'source {"instance_id":"a__b-1"}',
      'model m',
      'step 1: 2',
      'step 2: 2, exit_code',
    ],
  },
  {
    format: 'openhands',
    name: 'a result of the first versions',
    text: JSON.stringify({
      issue: { number: 1 },
      success: true,
      history: [
        { action: 'message', content: OBJECTIVE, wait_for_response: false },
        { action: 'run', command: 'ls x', thought: 'I look.', is_confirmed: 'confirmed' },
        { observation: 'run', content: 'no such file', command: 'ls x', exit_code: 2 },
        { action: 'run_ipython', code: '1', thought: '' },
        { observation: 'run_ipython', content: '1', code: '1' },
        { action: 'finish', outputs: {}, thought: 'Nothing there.' },
      ],
    }),
    objective: OBJECTIVE,
    steps: [
      'thought I look.',
      'tool_call run {"command":"ls x"}',
      'observation no such file',
      'error_recovery run_ipython {"code":"1"}',
      'observation 1',
      'thought Nothing there.',
    ],
    facts: [
      'recorded true',
      'framework openhands',
      'source {}',
      'verdict success',
      'step 1: 1',
      'step 2: 1, exit_code',
      'step 3: 3',
      'step 4: 3',
    ],
  },
  {
    format: 'openhands',
    name: 'a list of events',
    text: JSON.stringify(EVENTS),
    objective: OBJECTIVE,
    steps: [
      'thought I look.',
      'tool_call run {"command":"ls x"}',
      'observation no such file',
      'error_recovery think {"thought":"Odd."}',
      'observation Noted.',
      'thought Nothing there.',
    ],
    facts: [
      'recorded at 2026-01-02T03:04:05.000Z',
      'framework openhands',
      'source {}',
      'omitted {"system":1}',
      'step 1: 2',
      'step 2: 2, exit_code',
      'step 3: 4',
      'step 4: 4',
    ],
  },
  {
    format: 'openhands',
    name: 'events of version 1',
    text: lines([
      {
        kind: 'MessageEvent',
        source: 'user',
        llm_message: { role: 'user', content: [{ type: 'text', text: OBJECTIVE }] },
      },
      {
        kind: 'ActionEvent',
        source: 'agent',
        thought: [{ type: 'text', text: 'I have to look.' }],
        action: { kind: 'WeatherAction', city: 'Oslo' },
        tool_name: 'get_weather',
        tool_call_id: 'c1',
      },
      {
        kind: 'ObservationEvent',
        source: 'environment',
        tool_name: 'get_weather',
        tool_call_id: 'c1',
        observation: { kind: 'WeatherObservation', content: [{ type: 'text', text: 'Rain.' }] },
      },
      {
        kind: 'MessageEvent',
        source: 'agent',
        llm_message: { role: 'assistant', content: [{ type: 'text', text: 'It rains.' }] },
      },
    ]),
    objective: OBJECTIVE,
    steps: STEPS,
    facts: ['framework openhands', 'source {}', 'step 1: c1', 'step 2: c1'],
  },
];

/** By UIMessageChunk and TextStreamPart of the library ai. */
export const aiSdkStream: FormatSample[] = [
  {
    format: 'ai-sdk-stream',
    name: 'chunks of a UI message',
    text: JSON.stringify([
      { type: 'start', messageId: 'm1' },
      { type: 'start-step' },
      { type: 'reasoning-start', id: 'r' },
      { type: 'reasoning-delta', id: 'r', delta: 'I have ' },
      { type: 'reasoning-delta', id: 'r', delta: 'to look.' },
      { type: 'reasoning-end', id: 'r' },
      { type: 'tool-input-start', toolCallId: 'c1', toolName: 'get_weather' },
      { type: 'tool-input-delta', toolCallId: 'c1', inputTextDelta: '{"city":' },
      { type: 'tool-input-delta', toolCallId: 'c1', inputTextDelta: '"Oslo"}' },
      { type: 'tool-output-available', toolCallId: 'c1', output: 'Ra', preliminary: true },
      { type: 'tool-output-available', toolCallId: 'c1', output: 'Rain.' },
      { type: 'data-progress', data: 1 },
      { type: 'text-start', id: 't' },
      { type: 'text-delta', id: 't', delta: 'It rains.' },
      { type: 'text-end', id: 't' },
      { type: 'finish' },
    ]),
    objective: '(no objective recorded)',
    steps: STEPS,
    facts: [
      'framework ai-sdk',
      'source {"message_id":"m1"}',
      'omitted {"data":1}',
      'step 1: c1',
      'step 2: c1',
    ],
  },
  {
    format: 'ai-sdk-stream',
    name: 'parts of fullStream one a line',
    text: lines([
      { type: 'tool-call', toolCallId: 'c1', toolName: 'get_weather', input: { city: 'Oslo' } },
      { type: 'tool-error', toolCallId: 'c1', toolName: 'get_weather', error: 'offline' },
      { type: 'text-delta', id: '0', text: 'No idea.' },
    ]),
    objective: '(no objective recorded)',
    steps: [ASKED, 'observation offline', 'error_recovery No idea.'],
    facts: ['framework ai-sdk', 'source {}', 'step 0: c1', 'step 1: c1, flag'],
  },
];

const STORED = [
  { role: 'user', content: { format: 2, parts: [{ type: 'text', text: OBJECTIVE }] } },
  {
    role: 'assistant',
    content: {
      format: 2,
      parts: [
        { type: 'step-start' },
        { type: 'text', text: 'I have to look.' },
        {
          type: 'tool-invocation',
          toolInvocation: {
            state: 'result',
            toolCallId: 'c1',
            toolName: 'get_weather',
            args: { city: 'Oslo' },
            result: 'Rain.',
          },
        },
        { type: 'text', text: 'It rains.' },
      ],
      content: 'It rains.',
    },
  },
].map((message, index) => ({ id: `m${index}`, threadId: 't1', createdAt: time, ...message }));

/** By MastraMessageV2 of @mastra/core, and the rows of its table mastra_messages. */
export const mastra: FormatSample[] = [
  {
    format: 'mastra',
    name: 'messages of format 2',
    text: JSON.stringify({ messages: STORED }),
    objective: OBJECTIVE,
    steps: STEPS,
    facts: [
      'recorded at 2026-01-02T03:04:05.000Z',
      'framework mastra',
      'source {"thread_id":"t1"}',
      'step 1: c1',
      'step 2: c1',
    ],
  },
  {
    format: 'mastra',
    name: 'rows of its table',
    text: lines(
      STORED.map(({ content, threadId, ...row }) => ({
        ...row,
        thread_id: threadId,
        content: JSON.stringify(content),
      })),
    ),
    objective: OBJECTIVE,
    steps: STEPS,
    facts: [
      'recorded at 2026-01-02T03:04:05.000Z',
      'framework mastra',
      'source {"thread_id":"t1"}',
      'step 1: c1',
      'step 2: c1',
    ],
  },
];

const managed = (type: string, fields: object = {}): object => ({
  id: `e-${type}`,
  processed_at: time,
  type,
  ...fields,
});

export const claudeManagedAgents: FormatSample[] = [
  {
    format: 'claude-managed-agents',
    name: 'events one a line',
    text: lines([
      managed('session.status_running'),
      managed('user.message', { content: [{ type: 'text', text: OBJECTIVE }] }),
      managed('agent.message', { content: [{ type: 'text', text: 'I have to look.' }] }),
      managed('agent.custom_tool_use', { id: 'c1', name: 'get_weather', input: { city: 'Oslo' } }),
      managed('user.custom_tool_result', {
        custom_tool_use_id: 'c1',
        content: [{ type: 'text', text: 'Rain.' }],
      }),
      managed('agent.message', { id: 'e9', content: [{ type: 'text', text: 'It rains.' }] }),
      managed('session.status_idle', { stop_reason: { type: 'end_turn' } }),
    ]),
    objective: OBJECTIVE,
    steps: STEPS,
    facts: [
      'recorded at 2026-01-02T03:04:05.000Z',
      'framework claude-managed-agents',
      'source {}',
      'omitted {"session.status_running":1,"session.status_idle":1}',
      'step 1: c1',
      'step 2: c1',
    ],
  },
];

const part = (fields: Record<string, unknown>): object => ({
  type: fields.type,
  timestamp: 1767323045000,
  sessionID: 's1',
  part: { sessionID: 's1', messageID: 'm1', ...fields },
});
const TOOL = {
  id: 'p2',
  type: 'tool',
  callID: 'c1',
  tool: 'get_weather',
  state: { status: 'completed', input: { city: 'Oslo' }, output: 'Rain.', metadata: {} },
};

/** By Part and ToolState of @opencode-ai/sdk. */
export const openCode: FormatSample[] = [
  {
    format: 'opencode',
    name: 'events of a run',
    text: lines([
      part({ id: 'p0', type: 'step-start' }),
      part({ id: 'p1', type: 'text', text: 'I have to look.' }),
      part({ ...TOOL, state: { status: 'running', input: {} } }),
      part(TOOL),
      part({ id: 'p3', type: 'text', text: 'It rains.' }),
    ]),
    objective: '(no objective recorded)',
    steps: STEPS,
    facts: [
      'recorded at 2026-01-02T03:04:05.000Z',
      'framework opencode',
      'source {"session_id":"s1"}',
      'step 1: c1',
      'step 2: c1',
    ],
  },
  {
    format: 'opencode',
    name: 'an export',
    text: JSON.stringify({
      info: { id: 's1', title: 'Weather', time: { created: 1767323045000 } },
      messages: [
        { info: { id: 'm0', role: 'user' }, parts: [{ id: 'p', type: 'text', text: OBJECTIVE }] },
        {
          info: { id: 'm1', role: 'assistant', modelID: 'm' },
          parts: [{ id: 'p1', type: 'reasoning', text: 'I have to look.' }, TOOL],
        },
        {
          info: { id: 'm2', role: 'assistant' },
          parts: [{ id: 'p3', type: 'text', text: 'It rains.' }],
        },
      ],
    }),
    objective: OBJECTIVE,
    steps: STEPS,
    facts: [
      'recorded at 2026-01-02T03:04:05.000Z',
      'framework opencode',
      'source {"session_id":"s1"}',
      'model m',
      'step 1: c1',
      'step 2: c1',
    ],
  },
];

const PI = [
  { role: 'user', content: [{ type: 'text', text: OBJECTIVE }] },
  {
    role: 'assistant',
    content: [
      { type: 'thinking', thinking: 'I have to look.' },
      { type: 'toolCall', id: 'c1', name: 'get_weather', arguments: { city: 'Oslo' } },
    ],
    model: 'm',
  },
  {
    role: 'toolResult',
    toolCallId: 'c1',
    toolName: 'get_weather',
    content: [{ type: 'text', text: 'Rain.' }],
  },
  { role: 'assistant', content: [{ type: 'text', text: 'It rains.' }] },
];

export const pi: FormatSample[] = [
  {
    format: 'pi',
    name: 'a session file',
    text: lines([
      { type: 'session', version: 3, id: 's1', timestamp: time, cwd: '/x' },
      ...PI.map((message) => ({ type: 'message', id: 'e', timestamp: time, message })),
    ]),
    objective: OBJECTIVE,
    steps: STEPS,
    facts: [
      'recorded at 2026-01-02T03:04:05.000Z',
      'framework pi',
      'source {"session_id":"s1"}',
      'model m',
      'step 1: c1',
      'step 2: c1',
    ],
  },
  {
    format: 'pi',
    name: 'events',
    text: lines([
      { type: 'agent_start' },
      ...PI.flatMap((message) => [
        { type: 'message_start', message },
        { type: 'message_end', message },
      ]),
      { type: 'agent_end', messages: PI },
    ]),
    objective: OBJECTIVE,
    steps: STEPS,
    facts: ['framework pi', 'source {}', 'model m', 'step 1: c1', 'step 2: c1'],
  },
];
