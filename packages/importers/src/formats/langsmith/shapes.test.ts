import { describeShapes } from '../../../test/shapes.ts';

const at = (second: number): string => `2026-01-02T03:04:0${second}.000Z`;
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

describeShapes('langsmith', [
  [
    'nested children, feedback, an error, and a model',
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
    'traces of one run each, with answers in other fields',
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
  [
    'a batch, whose run was patched later',
    {
      post: [
        {
          id: 'r1',
          trace_id: 'r1',
          run_type: 'llm',
          name: 'ChatOpenAI',
          start_time: '2026-01-02T03:04:05.000Z',
          inputs: { messages: [{ role: 'user', content: 'Hi.' }] },
          outputs: {},
        },
      ],
      patch: [
        {
          dotted_order: '20260102T030405000001Zr1',
          trace_id: 'r1',
          end_time: '2026-01-02T03:04:06.000Z',
          outputs: { choices: [{ message: { role: 'assistant', content: 'Hello.' } }] },
        },
      ],
    },
    [
      'asked Hi.',
      'thought Hello.',
      'recorded at 2026-01-02T03:04:05.000Z',
      'agent ChatOpenAI',
      'framework langsmith',
      'source {"trace_id":"r1"}',
    ],
  ],
]);
