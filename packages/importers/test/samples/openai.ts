import type { FormatSample } from './index.ts';

const CALL = {
  type: 'function_call',
  id: 'fc_1',
  call_id: 'call_1',
  name: 'get_weather',
  arguments: '{"city":"Oslo"}',
};
const ITEMS = [
  { role: 'user', content: 'What is the weather in Oslo?' },
  { type: 'reasoning', id: 'rs_1', summary: [{ type: 'summary_text', text: 'I have to look.' }] },
  CALL,
  { type: 'function_call_output', call_id: 'call_1', output: 'Rain.' },
  {
    type: 'message',
    id: 'msg_1',
    role: 'assistant',
    content: [{ type: 'output_text', text: 'It rains.', annotations: [] }],
  },
];
const STEPS = [
  'thought I have to look.',
  'tool_call get_weather {"city":"Oslo"}',
  'observation Rain.',
  'thought It rains.',
];
const OBJECTIVE = 'What is the weather in Oslo?';

const camel = ({ call_id, ...item }: Record<string, unknown>): object =>
  call_id === undefined ? item : { ...item, callId: call_id };

/** By the types ResponseInputItem and Response of the library openai. */
export const openaiResponses: FormatSample[] = [
  {
    format: 'openai-responses',
    name: 'items',
    text: JSON.stringify(ITEMS),
    objective: OBJECTIVE,
    steps: STEPS,
    facts: ['source {}', 'step 1: call_1', 'step 2: call_1'],
  },
  {
    format: 'openai-responses',
    name: 'responses that continue one another, one a line',
    text: [
      { id: 'resp_1', output: ITEMS.slice(1, 3), input: OBJECTIVE, previous_response_id: null },
      { id: 'resp_2', output: ITEMS.slice(4), input: [ITEMS[3]], previous_response_id: 'resp_1' },
    ]
      .map((response) => JSON.stringify({ object: 'response', created_at: 1e9, ...response }))
      .join('\n'),
    objective: OBJECTIVE,
    steps: STEPS,
    facts: [
      'recorded at 2001-09-09T01:46:40.000Z',
      'source {"id":"resp_1"}',
      'step 1: call_1',
      'step 2: call_1',
    ],
  },
  {
    format: 'openai-responses',
    name: "the provider's own tools",
    text: JSON.stringify({
      id: 'resp_3',
      object: 'response',
      status: 'completed',
      output: [
        { type: 'mcp_list_tools', id: 'l', server_label: 's', tools: [] },
        { type: 'web_search_call', id: 'ws_1', action: { type: 'search', query: 'Oslo' } },
        {
          type: 'code_interpreter_call',
          id: 'ci_1',
          code: 'print(1)',
          outputs: [{ type: 'logs', logs: '1' }],
        },
        { type: 'mcp_approval_request', id: 'mcpr_1', name: 'send', arguments: '{}' },
        { type: 'mcp_approval_response', approval_request_id: 'mcpr_1', approve: true },
        {
          type: 'mcp_call',
          id: 'mcp_1',
          approval_request_id: 'mcpr_1',
          name: 'send',
          arguments: '{}',
          output: null,
          error: { message: 'offline' },
        },
        { type: 'image_generation_call', id: 'ig_1', result: 'iVBORw0KGgo=', status: 'completed' },
      ],
    }),
    objective: '(no objective recorded)',
    steps: [
      'tool_call web_search_call {"type":"search","query":"Oslo"}',
      'tool_call code_interpreter_call print(1)',
      'observation 1',
      'tool_call send {}',
      'observation {"message":"offline"}',
      'error_recovery image_generation_call',
      'observation [image]',
    ],
    facts: [
      'source {"id":"resp_3"}',
      'omitted {"mcp_list_tools":1,"approval":1}',
      'step 0: ws_1',
      'step 1: ci_1',
      'step 2: ci_1',
      'step 3: mcpr_1',
      'step 4: mcpr_1, flag',
      'step 5: ig_1',
      'step 6: ig_1',
    ],
  },
];

/** By the serialised RunState and RunItem of @openai/agents, and those of openai-agents-python. */
export const openaiAgents: FormatSample[] = [
  {
    format: 'openai-agents',
    name: 'RunState, JavaScript',
    text: JSON.stringify({
      $schemaVersion: '1.17',
      currentAgent: { name: 'Weather' },
      originalInput: OBJECTIVE,
      modelResponses: [{ output: [ITEMS[1], camel(CALL)], responseId: 'r' }],
      generatedItems: [
        { type: 'reasoning_item', rawItem: ITEMS[1], agent: { name: 'Weather' } },
        { type: 'tool_call_item', rawItem: camel(CALL), agent: { name: 'Weather' } },
        {
          type: 'tool_call_output_item',
          rawItem: { type: 'function_call_result', callId: 'call_1', output: 'Rain.' },
          output: 'Rain.',
        },
        { type: 'message_output_item', rawItem: ITEMS[4] },
      ],
      trace: null,
    }),
    objective: OBJECTIVE,
    steps: STEPS,
    facts: [
      'agent Weather',
      'framework openai-agents',
      'source {}',
      'step 1: call_1',
      'step 2: call_1',
    ],
  },
  {
    format: 'openai-agents',
    name: 'RunState, Python',
    text: JSON.stringify({
      $schemaVersion: '1.13',
      current_agent: { name: 'Weather' },
      original_input: [ITEMS[0]],
      model_responses: [],
      session_items: [{ type: 'reasoning_item', raw_item: ITEMS[1] }],
      generated_items: ITEMS.slice(1).map((raw_item) => ({ type: 'run_item', raw_item })),
    }),
    objective: OBJECTIVE,
    steps: STEPS,
    facts: [
      'agent Weather',
      'framework openai-agents',
      'source {}',
      'step 1: call_1',
      'step 2: call_1',
    ],
  },
  {
    format: 'openai-agents',
    name: 'a result with its new items',
    text: JSON.stringify({
      input: OBJECTIVE,
      newItems: ITEMS.slice(1).map((item) => ({ type: 'run_item', rawItem: camel(item) })),
    }),
    objective: OBJECTIVE,
    steps: STEPS,
    facts: ['framework openai-agents', 'source {}', 'step 1: call_1', 'step 2: call_1'],
  },
  {
    format: 'openai-agents',
    name: 'what the model answered, call by call',
    text: JSON.stringify(
      [ITEMS.slice(1, 3), ITEMS.slice(4)].map((output) => ({
        usage: { requests: 1, inputTokens: 1 },
        output: output.map((item) => camel(item)),
        responseId: 'r',
      })),
    ),
    objective: '(no objective recorded)',
    steps: [STEPS[0] ?? '', STEPS[1] ?? '', STEPS[3] ?? ''],
    facts: ['source {}', 'step 1: call_1'],
  },
];

const rollout = (type: string, payload: object): string =>
  JSON.stringify({ timestamp: '2026-01-02T03:04:05.000Z', type, payload });

/** By RolloutLine of codex-rs/protocol and ThreadEvent of @openai/codex-sdk. */
export const codex: FormatSample[] = [
  {
    format: 'codex',
    name: 'a session file',
    text: [
      rollout('session_meta', { id: 's-1', timestamp: '2026-01-02T03:04:05.000Z', cwd: '/x' }),
      rollout('response_item', {
        type: 'message',
        role: 'user',
        content: [{ type: 'input_text', text: '<environment_context>x</environment_context>' }],
      }),
      rollout('turn_context', { model: 'gpt-5', cwd: '/x' }),
      rollout('response_item', { type: 'message', ...ITEMS[0] }),
      rollout('event_msg', { type: 'user_message', message: OBJECTIVE }),
      ...ITEMS.slice(1).map((item) => rollout('response_item', item)),
      rollout('event_msg', { type: 'agent_message', message: 'It rains.' }),
      rollout('compacted', { message: 'short', replacement_history: ITEMS }),
      rollout('response_item', {
        type: 'custom_tool_call',
        call_id: 'call_2',
        name: 'apply_patch',
        input: '*** Begin Patch',
      }),
    ].join('\n'),
    objective: OBJECTIVE,
    steps: [...STEPS, 'tool_call apply_patch *** Begin Patch'],
    facts: [
      'recorded at 2026-01-02T03:04:05.000Z',
      'framework codex',
      'source {"session_id":"s-1"}',
      'model gpt-5',
      'omitted {"context":1,"compaction":1}',
      'step 1: call_1',
      'step 2: call_1',
      'step 4: call_2',
    ],
  },
  {
    format: 'codex',
    name: 'a session file of the first versions',
    text: [{ id: 's-2', timestamp: '2025-06-01T00:00:00Z', instructions: null }, ...ITEMS]
      .map((line) => JSON.stringify(line))
      .join('\n'),
    objective: OBJECTIVE,
    steps: STEPS,
    facts: [
      'recorded at 2025-06-01T00:00:00.000Z',
      'framework codex',
      'source {"session_id":"s-2"}',
      'step 1: call_1',
      'step 2: call_1',
    ],
  },
];

const done = (item: object): object => ({ type: 'item.completed', item });

export const codexExec: FormatSample[] = [
  {
    format: 'codex-exec',
    name: 'events',
    text: [
      { type: 'thread.started', thread_id: 't-1' },
      { type: 'turn.started' },
      done({ id: 'i0', type: 'reasoning', text: 'I look.' }),
      {
        type: 'item.started',
        item: { id: 'i1', type: 'command_execution', command: 'ls', status: 'in_progress' },
      },
      done({
        id: 'i1',
        type: 'command_execution',
        command: 'ls',
        aggregated_output: 'no such file',
        exit_code: 2,
        status: 'failed',
      }),
      done({
        id: 'i2',
        type: 'mcp_tool_call',
        server: 'docs',
        tool: 'search',
        arguments: { q: 'ls' },
        result: { content: [{ type: 'text', text: 'found' }] },
        status: 'completed',
      }),
      done({ id: 'i3', type: 'agent_message', text: 'Done.' }),
      { type: 'turn.completed', usage: { input_tokens: 1 } },
    ]
      .map((event) => JSON.stringify(event))
      .join('\n'),
    objective: '(no objective recorded)',
    steps: [
      'thought I look.',
      'tool_call command_execution {"command":"ls"}',
      'observation no such file',
      'error_recovery search {"q":"ls"}',
      'observation found',
      'thought Done.',
    ],
    facts: [
      'framework codex',
      'source {"thread_id":"t-1"}',
      'shell_tools one',
      'step 1: i1',
      'step 2: i1, flag',
      'step 3: i2',
      'step 4: i2',
    ],
  },
];
