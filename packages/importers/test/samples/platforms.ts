import type { FormatSample } from './index.ts';

const OBJECTIVE = 'What is the weather in Oslo?';
const ASKED = 'tool_call get_weather {"city":"Oslo"}';
const STEPS = ['thought I have to look.', ASKED, 'observation Rain.', 'thought It rains.'];
const at = (second: number): string => `2026-01-02T03:04:0${second}.000Z`;
const lines = (values: readonly unknown[]): string =>
  values.map((value) => JSON.stringify(value)).join('\n');

const USER = { role: 'user', content: OBJECTIVE };
const ANSWER = {
  role: 'assistant',
  content: 'I have to look.',
  tool_calls: [{ id: 'c1', function: { name: 'get_weather', arguments: '{"city":"Oslo"}' } }],
};
const observation = (
  id: string,
  type: string,
  name: string,
  second: number,
  fields: object,
): object => ({
  id,
  traceId: 'tr1',
  type,
  name,
  startTime: at(second),
  endTime: at(second),
  parentObservationId: null,
  level: 'DEFAULT',
  ...fields,
});
const OBSERVATIONS = [
  observation('o3', 'GENERATION', 'chat', 3, {
    input: [USER, ANSWER, { role: 'tool', tool_call_id: 'c1', content: 'Rain.' }],
    output: { role: 'assistant', content: 'It rains.' },
  }),
  observation('o1', 'GENERATION', 'chat', 1, { input: [USER], output: ANSWER, model: 'gpt' }),
];
const TOOL = observation('o2', 'TOOL', 'running tool', 2, {
  input: { city: 'Oslo' },
  output: 'Rain.',
  metadata: { attributes: { 'gen_ai.tool.name': 'get_weather', 'gen_ai.tool.call.id': 'c1' } },
});

/** By the types TraceWithFullDetails and ObservationsView of langfuse. */
export const langfuse: FormatSample[] = [
  {
    format: 'langfuse',
    name: 'a trace with its observations',
    text: JSON.stringify({
      trace: { id: 'tr1', projectId: 'p', timestamp: at(0), scores: [] },
      observations: [...OBSERVATIONS, TOOL],
    }),
    objective: OBJECTIVE,
    steps: STEPS,
    facts: [
      'recorded at 2026-01-02T03:04:00.000Z',
      'framework langfuse',
      'source {"trace_id":"tr1"}',
      'model gpt',
      'step 1: c1',
      'step 2: c1',
    ],
  },
  {
    format: 'langfuse',
    name: 'observations one a line, without one of a tool',
    text: lines(OBSERVATIONS),
    objective: OBJECTIVE,
    steps: STEPS,
    facts: [
      'recorded at 2026-01-02T03:04:01.000Z',
      'framework langfuse',
      'source {"trace_id":"tr1"}',
      'model gpt',
      'step 1: c1',
      'step 2: c1',
    ],
  },
];

const message = (name: string, kwargs: object): object => ({
  lc: 1,
  type: 'constructor',
  id: ['langchain_core', 'messages', name],
  kwargs,
});
const run = (id: string, run_type: string, second: number, fields: object): object => ({
  id,
  trace_id: 'r0',
  parent_run_id: 'r0',
  name: run_type,
  run_type,
  start_time: at(second).slice(0, -1),
  end_time: at(second).slice(0, -1),
  ...fields,
});
const HUMAN = message('HumanMessage', { content: OBJECTIVE });
const AI = message('AIMessage', {
  content: 'I have to look.',
  tool_calls: [{ id: 'c1', name: 'get_weather', args: { city: 'Oslo' } }],
});

/** By the schema Run of langsmith and the messages of @langchain/core. */
export const langSmith: FormatSample[] = [
  {
    format: 'langsmith',
    name: 'runs one a line',
    text: lines([
      run('r0', 'chain', 0, { parent_run_id: null, inputs: {}, outputs: {}, feedback_stats: {} }),
      run('r1', 'llm', 1, {
        inputs: { messages: [[HUMAN]] },
        outputs: { generations: [[{ text: 'I have to look.', message: AI }]] },
      }),
      run('r2', 'tool', 2, {
        name: 'get_weather',
        inputs: { city: 'Oslo', unit: 'C' },
        outputs: { output: message('ToolMessage', { content: 'Rain.', tool_call_id: 'c1' }) },
      }),
      run('r3', 'llm', 3, {
        inputs: {
          messages: [[HUMAN, AI, message('ToolMessage', { content: 'Rain.', tool_call_id: 'c1' })]],
        },
        outputs: { generations: [[{ message: message('AIMessage', { content: 'It rains.' }) }]] },
      }),
    ]),
    objective: OBJECTIVE,
    steps: STEPS,
    facts: [
      'recorded at 2026-01-02T03:04:01.000Z',
      'agent chain',
      'framework langsmith',
      'source {"trace_id":"r0"}',
      'step 1: c1',
      'step 2: c1',
    ],
  },
];

const chunk = (fields: object): object[] => [
  message('AIMessageChunk', { id: 'a1', content: '', ...fields }),
  { langgraph_step: 1, langgraph_node: 'agent', thread_id: 't1' },
];

export const langGraphStream: FormatSample[] = [
  {
    format: 'langgraph-stream',
    name: 'chunks with their metadata',
    text: JSON.stringify([
      chunk({ content: 'I have ', tool_call_chunks: [] }),
      chunk({ content: 'to look.', tool_call_chunks: [] }),
      chunk({ tool_call_chunks: [{ index: 0, id: 'c1', name: 'get_weather', args: '{"city"' }] }),
      chunk({ tool_call_chunks: [{ index: 0, args: ':"Oslo"}' }] }),
      [
        message('ToolMessage', { id: 'b1', content: 'Rain.', tool_call_id: 'c1' }),
        { langgraph_step: 2 },
      ],
    ]),
    objective: '(no objective recorded)',
    steps: STEPS.slice(0, 3),
    facts: ['framework langgraph', 'source {"thread_id":"t1"}', 'step 1: c1', 'step 2: c1'],
  },
];

export const benchmarks: FormatSample[] = [
  {
    format: 'medagentbench',
    name: 'one run',
    text: JSON.stringify({
      task_id: 'task1_1',
      instruction: 'What is the MRN?',
      correct: true,
      history: [
        { role: 'user', content: 'You are an expert in FHIR.' },
        { role: 'agent', content: 'GET http://h/fhir/Patient?name=A' },
        { role: 'user', content: 'Here is the response: {}' },
        { role: 'agent', content: 'I think it is 1.' },
        { role: 'agent', content: 'POST http://h/fhir/Observation\n{"a":1}' },
        { role: 'user', content: 'POST request accepted' },
        { role: 'agent', content: 'FINISH(["1"])' },
      ],
    }),
    objective: 'What is the MRN?',
    steps: [
      'tool_call GET {"url":"http://h/fhir/Patient?name=A"}',
      'observation Here is the response: {}',
      'thought I think it is 1.',
      'tool_call POST {"url":"http://h/fhir/Observation","body":"{\\"a\\":1}"}',
      'observation POST request accepted',
      'tool_call FINISH {"answers":"[\\"1\\"]"}',
    ],
    facts: [
      'recorded true',
      'framework medagentbench',
      'source {"task_id":"task1_1"}',
      'verdict success',
      'task task1_1',
      'step 0: 1',
      'step 1: 1',
      'step 3: 4',
      'step 4: 4',
      'step 5: 6',
    ],
  },
  {
    format: 'magentic-one',
    name: 'a team',
    text: JSON.stringify([
      { role: 'human', content: OBJECTIVE },
      { role: 'Orchestrator (thought)', content: 'I have to look.' },
      { role: 'Orchestrator (-> WebSurfer)', content: 'Look.' },
      { role: 'WebSurfer', content: 'Rain.' },
    ]),
    objective: OBJECTIVE,
    steps: ['thought I have to look.', 'thought Look.', 'observation Rain.'],
    facts: ['framework magentic-one', 'source {}', 'step 2: WebSurfer'],
  },
  {
    format: 'livemcpbench',
    name: 'one run',
    text: JSON.stringify({
      task_id: 'x',
      Question: OBJECTIVE,
      messages: [
        USER,
        {
          role: 'assistant',
          content: 'I have to look.',
          tool_calls: [
            {
              id: 'c1',
              type: 'function',
              function: {
                name: 'execute-tool',
                arguments: JSON.stringify({
                  server_name: 'weather',
                  tool_name: 'get_weather',
                  params: { city: 'Oslo' },
                }),
              },
            },
          ],
        },
        { role: 'tool', tool_call_id: 'c1', content: 'no such city isError=True' },
        { role: 'assistant', content: 'It rains.' },
      ],
    }),
    objective: OBJECTIVE,
    steps: [
      'thought I have to look.',
      ASKED,
      'observation no such city isError=True',
      'error_recovery It rains.',
    ],
    facts: [
      'framework livemcpbench',
      'source {"task_id":"x"}',
      'task x',
      'step 1: c1',
      'step 2: c1, flag',
    ],
  },
  {
    format: 'chat-dataset',
    name: 'ShareGPT with calls between tags',
    text: JSON.stringify({
      id: '1',
      conversations: [
        { from: 'system', value: 'Tools: …' },
        { from: 'human', value: OBJECTIVE },
        {
          from: 'gpt',
          value:
            'I have to look.\n<tool_call>\n{"name": "get_weather", "arguments": {"city": "Oslo"}}\n</tool_call>',
        },
        { from: 'tool', value: '<tool_response>\nRain.\n</tool_response>' },
        { from: 'gpt', value: 'It rains.' },
      ],
    }),
    objective: OBJECTIVE,
    steps: STEPS,
    facts: ['source {"id":"1"}'],
  },
  {
    format: 'chat-dataset',
    name: 'calls as turns, the conversation in a text',
    text: JSON.stringify({
      instance_id: 'a__b-1',
      target: true,
      trajectory: JSON.stringify([
        { role: 'user', text: OBJECTIVE },
        { role: 'ai', text: 'I have to look.' },
        { role: 'function_call', text: '{"name":"get_weather","arguments":{"city":"Oslo"}}' },
        { role: 'observation', text: 'Rain.' },
        { role: 'ai', text: 'It rains.' },
      ]),
    }),
    objective: OBJECTIVE,
    steps: STEPS,
    facts: ['recorded true', 'source {"instance_id":"a__b-1"}', 'verdict target', 'task a__b-1'],
  },
];
