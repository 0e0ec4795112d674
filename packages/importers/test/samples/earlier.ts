import { otlp } from '../spans.ts';

/** A recording each of the formats that have tests of their own, for telling formats apart. */
export const EARLIER: readonly { readonly format: string; readonly text: string }[] = [
  {
    format: 'kp',
    text: JSON.stringify({ '@type': 'ReasoningTrace', metadata: {}, task: {}, steps: [] }),
  },
  {
    format: 'openai-chat',
    text: JSON.stringify({
      messages: [
        { role: 'user', content: 'Go.' },
        { role: 'assistant', tool_calls: [{ id: 'c', function: { name: 'f', arguments: '{}' } }] },
      ],
    }),
  },
  {
    format: 'openai-chat',
    text: JSON.stringify([
      { role: 'user', content: 'Go.' },
      { role: 'assistant', content: 'Gone.' },
    ]),
  },
  {
    format: 'anthropic',
    text: JSON.stringify([
      { role: 'user', content: 'Go.' },
      { role: 'assistant', content: [{ type: 'tool_use', id: 'c', name: 'f', input: {} }] },
    ]),
  },
  {
    format: 'ai-sdk',
    text: JSON.stringify([
      { role: 'user', parts: [{ type: 'text', text: 'Go.' }] },
      {
        role: 'assistant',
        parts: [
          { type: 'tool-f', toolCallId: 'c', state: 'output-available', input: {}, output: 1 },
        ],
      },
    ]),
  },
  {
    format: 'langchain',
    text: JSON.stringify({
      messages: [
        { type: 'human', content: 'Go.' },
        { type: 'ai', content: '', tool_calls: [{ name: 'f', args: {}, id: 'c' }] },
      ],
    }),
  },
  {
    format: 'claude-code',
    text: [
      { type: 'user', sessionId: 's', uuid: 'a', message: { role: 'user', content: 'Go.' } },
      {
        type: 'assistant',
        sessionId: 's',
        uuid: 'b',
        message: { role: 'assistant', content: [{ type: 'text', text: 'Gone.' }] },
      },
    ]
      .map((event) => JSON.stringify(event))
      .join('\n'),
  },
  {
    format: 'tau2',
    text: JSON.stringify({
      info: {},
      tasks: [],
      simulations: [
        { id: 's', task_id: '1', messages: [{ role: 'assistant', content: 'Hello.' }] },
      ],
    }),
  },
  {
    format: 'mini-swe-agent',
    text: JSON.stringify({
      info: { exit_status: 'Submitted' },
      instance_id: 'a__b-1',
      messages: [
        { role: 'user', content: '<pr_description>Fix.</pr_description>' },
        {
          role: 'assistant',
          content: 'Look.',
          tool_calls: [{ id: 'c', function: { name: 'bash', arguments: '{"command":"ls"}' } }],
          extra: { actions: [{ command: 'ls' }] },
        },
      ],
      trajectory_format: 'mini-swe-agent-1',
    }),
  },
  {
    format: 'swe-agent',
    text: JSON.stringify({
      trajectory: [{ thought: 'Look.', action: 'ls', observation: 'a' }],
      history: [{ role: 'user', content: 'Fix.' }],
      info: {},
    }),
  },
  {
    format: 'atif',
    text: JSON.stringify({
      schema_version: 'ATIF-v1.4',
      session_id: 's',
      agent: { name: 'a' },
      steps: [
        { step_id: 1, source: 'user', message: 'Go.' },
        { step_id: 2, source: 'agent', message: 'Gone.' },
      ],
    }),
  },
  {
    format: 'inspect',
    text: JSON.stringify({
      status: 'success',
      eval: { run_id: 'r', task: 't' },
      samples: [
        {
          id: 1,
          epoch: 1,
          input: 'Go.',
          messages: [{ role: 'assistant', content: 'Gone.' }],
          scores: {},
        },
      ],
    }),
  },
  {
    format: 'otel-genai',
    text: JSON.stringify(
      otlp([
        {
          id: 'a1',
          name: 'execute_tool f',
          at: [0, 1],
          attributes: { 'gen_ai.operation.name': 'execute_tool', 'gen_ai.tool.name': 'f' },
        },
      ]),
    ),
  },
  {
    format: 'openinference',
    text: JSON.stringify(
      otlp([
        {
          id: 'a1',
          name: 'f',
          at: [0, 1],
          attributes: { 'openinference.span.kind': 'TOOL', 'tool.name': 'f', 'input.value': '{}' },
        },
      ]),
    ),
  },
];
