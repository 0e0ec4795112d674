import type { Shape } from './index.ts';

const at = (second: number): string => `2026-01-02T03:04:0${second}.000Z`;
const observation = (id: string, type: string, second: number, fields: object): object => ({
  id,
  traceId: 'tr1',
  type,
  name: `name of ${id}`,
  startTime: at(second),
  ...fields,
});

const langfuse: Shape[] = [
  [
    'scores of every kind, a trace that holds its observations itself',
    {
      id: 'tr1',
      timestamp: at(0),
      input: 'Asked.',
      scores: [
        { name: 'helpfulness', value: 0.2, dataType: 'NUMERIC' },
        { name: 'Task completion', value: 1, dataType: 'NUMERIC' },
        { name: 'any', value: 0, dataType: 'BOOLEAN' },
        { name: 'correct', stringValue: 'yes', dataType: 'CATEGORICAL' },
        { name: 'passed' },
      ],
      observations: [
        observation('o1', 'GENERATION', 1, { output: 'Gone.', level: 'ERROR', endTime: at(2) }),
      ],
    },
    [
      'asked Asked.',
      'thought Gone.',
      'recorded at 2026-01-02T03:04:00.000Z',
      'framework langfuse',
      'source {"trace_id":"tr1"}',
      'verdict_choices ["scores.Task completion","scores.any","scores.correct"]',
    ],
  ],
  [
    'one score that is true, and what a tool without a name of its own answered',
    {
      trace: {
        id: 'tr1',
        input: { a: 1 },
        scores: [{ name: 'any', value: true, dataType: 'BOOLEAN' }],
        observations: [
          observation('o0', 'SPAN', 0, { input: 'not said' }),
          observation('o1', 'GENERATION', 1, {
            input: '{"prompt":"Go."}',
            output: [{ toolName: 'f', toolCallId: 'c1', args: { a: 1 } }],
          }),
          observation('o2', 'TOOL', 2, { input: '{"a":1}', output: null, level: 'ERROR' }),
          observation('o3', 'GENERATION', 3, {
            input: { contents: [{ role: 'user', parts: [{ text: 'Go.' }] }] },
            output: { candidates: [{ content: { role: 'model', parts: [{ text: 'Gone.' }] } }] },
          }),
        ],
      },
    },
    [
      'asked Go.',
      'thought {"a":1}',
      'tool_call name of o2 {"a":1}',
      'observation ',
      'error_recovery Gone.',
      'recorded at 2026-01-02T03:04:01.000Z',
      'recorded true',
      'framework langfuse',
      'source {"trace_id":"tr1"}',
      'verdict scores.any',
      'step 1: o2',
      'step 2: o2, flag',
    ],
  ],
  [
    'two traces, tools by their names, choices, a name in place of a role',
    [
      observation('o1', 'GENERATION', 1, {
        input: { messages: [{ content: 'Go.' }, { role: 'get_weather', content: 'Rain.' }] },
        output: { choices: [{ message: { role: 'assistant', content: 'Gone.' } }] },
      }),
      {
        ...observation('o2', 'TOOL', 2, { input: 'x', output: { b: 1 } }),
        traceId: 'tr2',
        metadata: '{"attributes":{"tool.name":"look","ai.toolCall.id":"c2"}}',
      },
      {
        ...observation('o3', 'TOOL', 3, { input: 'y', output: 'z' }),
        traceId: 'tr2',
        metadata: { attributes: { 'ai.toolCall.name': 'see' } },
      },
    ],
    [
      'asked Go.',
      'observation Rain.',
      'thought Gone.',
      'recorded at 2026-01-02T03:04:01.000Z',
      'framework langfuse',
      'source {"trace_id":"tr1"}',
      'asked (no objective recorded)',
      'tool_call look x',
      'observation {"b":1}',
      'tool_call see y',
      'observation z',
      'recorded at 2026-01-02T03:04:02.000Z',
      'framework langfuse',
      'source {"trace_id":"tr2"}',
      'step 0: c2',
      'step 1: c2',
      'step 2: o3',
      'step 3: o3',
    ],
  ],
];

const message = (name: string, kwargs: object): object => ({
  lc: 1,
  type: 'constructor',
  id: ['langchain_core', 'messages', name],
  kwargs,
});
const HUMAN = message('HumanMessage', { content: 'Go.' });
const run = (id: string, run_type: string, second: number, fields: object): object => ({
  id,
  name: `name of ${id}`,
  run_type,
  start_time: at(second),
  end_time: at(second + 1),
  ...fields,
});

const langSmith: Shape[] = [
  [
    'children in their parents, feedback, an error, a model',
    {
      ...run('r0', 'chain', 0, { inputs: {}, outputs: {} }),
      error: 'ValueError()',
      extra: { metadata: { ls_model_name: 'm' } },
      feedback_stats: {
        correctness: { n: 1, avg: 0 },
        user_score: { avg: 1 },
        passed: 1,
        success: { avg: 'high' },
      },
      child_runs: [
        run('r1', 'llm', 1, {
          inputs: { prompts: ['Not said'], input: 'Go.' },
          outputs: { generations: [{ text: 'Early.' }] },
          child_runs: [
            run('r2', 'tool', 2, { inputs: { input: { a: 1 } }, error: 'broken' }),
            run('r3', 'tool', 3, { inputs: { a: 1 }, outputs: { b: 2 } }),
            run('r4', 'tool', 4, { inputs: { input: 'text', more: 1 } }),
            run('r5', 'retriever', 4, { inputs: {}, outputs: { documents: [] } }),
          ],
        }),
        run('r6', 'llm', 5, {
          inputs: { messages: [{ role: 'user', content: 'Go.' }] },
          outputs: { choices: [{ message: { role: 'assistant', content: 'Late.' } }] },
        }),
      ],
    },
    [
      'asked Go.',
      'thought Early.',
      'tool_call name of r2 {"a":1}',
      'observation broken',
      'error_recovery name of r3 {"a":1}',
      'observation {"b":2}',
      'tool_call name of r4 {"input":"text","more":1}',
      'observation ',
      'thought Late.',
      'recorded at 2026-01-02T03:04:01.000Z',
      'recorded false',
      'agent name of r0',
      'framework langsmith',
      'source {"trace_id":"r0"}',
      'verdict error',
      'model m',
      'step 1: r2, 1000 ms',
      'step 2: r2, flag',
      'step 3: r3, 1000 ms',
      'step 4: r3',
      'step 5: r4, 1000 ms',
      'step 6: r4',
    ],
  ],
  [
    'traces of one run each, whose answers stand in other places',
    [
      run('a', 'llm', 1, {
        inputs: [HUMAN],
        outputs: { messages: [message('AIMessage', { content: 'In a list.' })] },
      }),
      run('b', 'llm', 1, {
        inputs: { input: [HUMAN] },
        outputs: { message: { role: 'assistant', content: 'Alone.' } },
      }),
      run('c', 'llm', 1, {
        inputs: { messages: [] },
        outputs: { output: message('AIMessage', { content: 'As output.' }) },
      }),
      run('d', 'llm', 1, { inputs: 7, outputs: { role: 'assistant', content: 'Itself.' } }),
      run('e', 'llm', 1, {
        inputs: {},
        outputs: {
          generations: [
            [
              {
                message: message('AIMessage', {
                  content: [
                    { type: 'text', text: 'I call.' },
                    'plain',
                    { type: 'tool_use', id: 'c1', name: 'f', input: {} },
                  ],
                  tool_calls: [{ id: 'c1', name: 'f', args: {} }],
                }),
              },
            ],
          ],
        },
      }),
      run('f', 'llm', 1, { inputs: {}, outputs: { other: 1 } }),
      run('g', 'llm', 1, { inputs: { messages: [HUMAN] }, outputs: 'text' }),
    ],
    [
      'asked Go.',
      'thought In a list.',
      'recorded at 2026-01-02T03:04:01.000Z',
      'agent name of a',
      'framework langsmith',
      'source {"trace_id":"a"}',
      'asked Go.',
      'thought Alone.',
      'recorded at 2026-01-02T03:04:01.000Z',
      'agent name of b',
      'framework langsmith',
      'source {"trace_id":"b"}',
      'asked (no objective recorded)',
      'thought As output.',
      'recorded at 2026-01-02T03:04:01.000Z',
      'agent name of c',
      'framework langsmith',
      'source {"trace_id":"c"}',
      'asked (no objective recorded)',
      'thought Itself.',
      'recorded at 2026-01-02T03:04:01.000Z',
      'agent name of d',
      'framework langsmith',
      'source {"trace_id":"d"}',
      'asked (no objective recorded)',
      'thought I call.',
      'thought plain',
      'tool_call f {}',
      'recorded at 2026-01-02T03:04:01.000Z',
      'agent name of e',
      'framework langsmith',
      'source {"trace_id":"e"}',
      'step 2: c1',
      'error line 1: trace f: expected an observation of a model or a tool, received "1 others such as name of…"',
    ],
  ],
];

const chunk = (fields: object, metadata: object = {}): unknown[] => [
  message('AIMessageChunk', fields),
  { langgraph_step: 1, ...metadata },
];

const langGraphStream: Shape[] = [
  [
    'namespaces, messages again in full, blocks, two calls at once',
    [
      [['sub:1'], chunk({ id: 'a1', content: 'Ear', tool_calls: [] })],
      ['messages', chunk({ id: 'a1', content: 'Early.' })],
      chunk({ id: 'a2', content: 'One ', tool_call_chunks: [] }),
      chunk({ id: 'a2', content: [{ type: 'text', text: 'two.' }], tool_call_chunks: [] }),
      chunk({ id: 'a2', content: '', tool_call_chunks: [{ index: 0, id: 'c1', name: 'f' }] }),
      chunk({
        id: 'a2',
        content: '',
        tool_call_chunks: [
          { index: 1, id: 'c2', name: 'g', args: '{}' },
          { index: 0, args: '{"a":1}' },
          { index: 2, args: 'nameless' },
        ],
      }),
      chunk({ content: 'No id.' }),
      [message('HumanMessage', { content: 'Asked.' }), { langgraph_node: 'n' }],
      chunk({ id: 'a3', content: 'Whole.', tool_calls: [{ id: 'c3', name: 'h', args: {} }] }),
    ],
    [
      'asked Asked.',
      'thought Early.',
      'thought One ',
      'thought two.',
      'tool_call f {"a":1}',
      'tool_call g {}',
      'thought No id.',
      'thought Whole.',
      'tool_call h {}',
      'framework langgraph',
      'source {}',
      'step 3: c1',
      'step 4: c2',
      'step 7: c3',
    ],
  ],
];

const chatDataset: Shape[] = [
  [
    'roles, calls and answers in other words',
    {
      hash: 'h1',
      task_id: 't',
      model: 'm',
      patch: 'diff',
      reward: 0,
      success: true,
      messages: [
        { from: 'SYSTEM', value: 'hidden' },
        { from: 'user', value: 'Go.' },
        {
          from: 'bot',
          value:
            '<tool_call>{"name":"f","parameters":{"a":1}}</tool_call><tool_call>no JSON</tool_call>',
        },
        {
          from: 'ipython',
          value: '<tool_response>one</tool_response>\n<tool_response>two</tool_response>',
        },
        { from: 'function_call', value: '[{"id":"c1","name":"g","arguments":{}},{"no":"name"}]' },
        { from: 'observation', value: 'three', tool_call_id: 'c1' },
        { from: 'tool_call', value: 'what?' },
        { from: 'Judge', value: 'Objection.' },
      ],
    },
    [
      'asked Go.',
      'tool_call f {"a":1}',
      'thought no JSON',
      'observation one',
      'observation two',
      'tool_call g {}',
      'observation three',
      'thought what?',
      'observation Objection.',
      'recorded false',
      'result diff',
      'source {"task_id":"t","hash":"h1"}',
      'verdict reward',
      'task t',
      'model m',
      'step 4: c1',
      'step 5: c1',
      'step 7: Judge',
    ],
  ],
  [
    'turns with contents of parts, calls beside the words, a conversation after one that is none',
    {
      model_name: 'm',
      generated_patch: 'diff',
      correct: 'yes',
      conversations: [],
      conversation: ['text'],
      trajectory: [{ from: 'human' }],
      dialog: [
        { role: 'user', content: 'Go.' },
        {
          role: 'assistant',
          content: [
            { type: 'text', text: 'In parts.' },
            { type: 'tool_use', id: 'c0', name: 'e', input: {} },
          ],
        },
        {
          role: 'assistant',
          content: 'And',
          tool_calls: '[{"id":"c1","function":{"name":"f","arguments":"{}"}}]',
        },
        { role: 'assistant', value: 'Value.' },
      ],
    },
    [
      'asked Go.',
      'thought In parts.',
      'tool_call e {}',
      'thought And',
      'tool_call f {}',
      'thought Value.',
      'result diff',
      'source {}',
      'model m',
      'step 1: c0',
      'step 3: c1',
    ],
  ],
];

const medAgentBench: Shape[] = [
  [
    'a failure of the surroundings, a context, errors',
    {
      instruction: 'Find it.',
      context: 'It is 2023.',
      index: 4,
      category: 'labs',
      infra_fail: true,
      status: 'timeout',
      correct: 'no',
      output: {
        history: [
          { role: 'user', content: 'Task.' },
          { role: 'agent', content: 'GET http://h/a' },
          { role: 'user', content: 'Error in sending the request' },
          { role: 'agent', content: 'DELETE http://h/a' },
          { role: 'user', content: 'Invalid action' },
          { role: 'agent', content: 'POST http://h/b  \n ' },
          { role: 'user', content: `POST request failed ${'x'.repeat(120)}` },
          { role: 'agent', content: 'POST http://h/c {"a":1}' },
          { role: 'user', content: `${'x'.repeat(111)} rejected` },
          { role: 'agent', content: 'POST http://h/d {}' },
          { role: 'user', content: `${'x'.repeat(112)} rejected` },
        ],
      },
    },
    [
      'asked Find it.\nIt is 2023.',
      'tool_call GET {"url":"http://h/a"}',
      'observation Error in sending the request',
      'error_recovery DELETE http://h/a',
      'observation Invalid action',
      'tool_call POST {"url":"http://h/b"}',
      'observation POST request failed xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx',
      'error_recovery POST {"url":"http://h/c","body":"{\\"a\\":1}"}',
      'observation xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx rejected',
      'error_recovery POST {"url":"http://h/d","body":"{}"}',
      'observation xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx rejected',
      'recorded false',
      'framework medagentbench',
      'domain medical',
      'source {"index":4}',
      'verdict infra_fail',
      'step 0: 1',
      'step 1: 1, text',
      'step 3: user',
      'step 4: 5',
      'step 5: 5, text',
      'step 6: 7',
      'step 7: 7, text',
      'step 8: 9',
      'step 9: 9',
    ],
  ],
  [
    'no instruction, a reason, a run that is wrong',
    {
      correct: false,
      infra_fail: true,
      infra_reason: 'no server',
      history: [
        { role: 'user', content: 'Task.' },
        { role: 'agent', content: ' FINISH([1]) ' },
        { role: 'user', content: 'Bye.' },
      ],
    },
    [
      'asked Task.',
      'tool_call FINISH {"answers":"[1]"}',
      'observation Bye.',
      'recorded false',
      'framework medagentbench',
      'source {}',
      'verdict infra_fail',
      'step 0: 1',
      'step 1: user',
    ],
  ],
  [
    'a verdict that is none',
    { correct: 'no', history: [{ role: 'agent', content: 'GET http://h/a' }] },
    [
      'asked (no objective recorded)',
      'tool_call GET {"url":"http://h/a"}',
      'framework medagentbench',
      'source {}',
      'step 0: 0',
    ],
  ],
];

const magenticOne: Shape[] = [
  [
    'every member of the team',
    {
      task_id: 't1',
      messages: [
        { role: 'UserProxy', content: 'Go.' },
        { role: 'Orchestrator (-> Coder)', content: 'Write.' },
        { role: 'Coder', content: 'Written.' },
        { role: 'FileSurfer', content: 'A file.' },
        { role: 'ComputerTerminal', content: 'exit 0' },
        { role: 'Executor', content: 'ran' },
        { role: 'User', content: 'More.' },
      ],
    },
    [
      'asked Go.',
      'thought Write.',
      'thought Written.',
      'observation A file.',
      'observation exit 0',
      'observation ran',
      'observation More.',
      'framework magentic-one',
      'source {"task_id":"t1"}',
      'task t1',
      'step 2: FileSurfer',
      'step 3: ComputerTerminal',
      'step 4: Executor',
      'step 5: user',
    ],
  ],
];

const execute = (id: string, given: unknown): object => ({
  role: 'assistant',
  content: '',
  tool_calls: [{ id, type: 'function', function: { name: 'execute-tool', arguments: given } }],
});

const liveMcpBench: Shape[] = [
  [
    'a judge, a response, arguments in other forms, other tools',
    {
      task_id: 't1',
      judge: false,
      response: 'The answer.',
      messages: [
        { role: 'user', content: 'Go.' },
        { role: 'assistant', content: 'I think.', tool_calls: null },
        execute('c1', { tool_name: 'f', arguments: '{"a":1}' }),
        { role: 'tool', tool_call_id: 'c1', content: 'ok isError=True)' },
        execute('c2', 'not JSON'),
        execute('c3', { tool_name: '' }),
        execute('c4', { tool_name: 'g' }),
        {
          role: 'assistant',
          tool_calls: [{ id: 'c5', function: { name: 'other', arguments: '{"tool_name":"h"}' } }],
        },
        { role: 'tool', tool_call_id: 'c5', content: `isError=True ${'x'.repeat(40)}` },
      ],
    },
    [
      'asked Go.',
      'thought I think.',
      'tool_call f {"a":1}',
      'observation ok isError=True)',
      'error_recovery execute-tool not JSON',
      'tool_call execute-tool {"tool_name":""}',
      'tool_call g',
      'tool_call other {"tool_name":"h"}',
      'observation isError=True xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx',
      'recorded false',
      'framework livemcpbench',
      'result The answer.',
      'source {"task_id":"t1"}',
      'verdict judge',
      'task t1',
      'step 1: c1',
      'step 2: c1, flag',
      'step 3: c2',
      'step 4: c3',
      'step 5: c4',
      'step 6: c5',
      'step 7: c5',
    ],
  ],
];

const stored = (fields: object): object => ({ role: 'assistant', threadId: 't1', ...fields });

const mastra: Shape[] = [
  [
    'two threads, instructions, contents without parts',
    [
      stored({ role: 'system', content: { format: 2, content: 'hidden' } }),
      stored({ role: 'user', content: { format: 2, content: 'Go.' }, created_at: at(1) }),
      stored({ content: { format: 3, parts: [{ type: 'text', text: 'Parts.' }] } }),
      stored({ content: 'Plain.' }),
      stored({ role: 'signal', content: 'hidden' }),
      stored({ threadId: 't2', content: { format: 2, parts: [], content: 'Other.' } }),
    ],
    [
      'asked Go.',
      'thought Parts.',
      'thought Plain.',
      'framework mastra',
      'source {"thread_id":"t1"}',
      'asked (no objective recorded)',
      'thought Other.',
      'framework mastra',
      'source {"thread_id":"t2"}',
    ],
  ],
];

const event = (author: string, fields: object): object => ({
  invocationId: 'i1',
  author,
  timestamp: '2026-01-02T03:04:05Z',
  ...fields,
});
const words = (text: string, role = 'model'): object => ({ content: { role, parts: [{ text }] } });

const googleAdk: Shape[] = [
  [
    'pieces of a stream, an error, names in snake case',
    {
      id: 's-1',
      app_name: 'app',
      appName: 'not this',
      user_id: 'u',
      userId: 'not this',
      events: [
        event('user', words('Go.', 'user')),
        event('helper', { ...words('Go'), partial: true }),
        event('helper', words('Gone.')),
        event('second', { errorCode: 'MALFORMED_FUNCTION_CALL' }),
      ],
    },
    [
      'asked Go.',
      'thought Gone.',
      'recorded at 2026-01-02T03:04:05.000Z',
      'recorded false',
      'agent helper',
      'framework google-adk',
      'source {"id":"s-1","app_name":"app","user_id":"u"}',
      'verdict events.error_code',
    ],
  ],
  [
    'an error that was overcome, or that is empty',
    [
      event('user', { ...words('Go.', 'user'), timestamp: null }),
      event('helper', { errorCode: 'STOP' }),
      event('helper', { ...words('Gone.'), error_code: '' }),
    ],
    ['asked Go.', 'thought Gone.', 'agent helper', 'framework google-adk', 'source {}'],
  ],
];

/** Of platforms, by format. */
export const platforms: Readonly<Record<string, readonly Shape[]>> = {
  langfuse,
  langSmith,
  langGraphStream,
  chatDataset,
  medAgentBench,
  magenticOne,
  liveMcpBench,
  mastra,
  googleAdk,
};
