import { describeShapes, Lines } from '../../../test/shapes.ts';

const flat = (id: string, fields: object): object => ({
  name: `name of ${id}`,
  trace_id: 'tr1',
  span_id: id,
  ...fields,
});
const TOOL = {
  'gen_ai.operation.name': 'execute_tool',
  'gen_ai.tool.name': 'f',
  'gen_ai.tool.call.arguments': '{"a":1}',
  'gen_ai.tool.call.result': 'done',
};

describeShapes('otel-genai', [
  [
    'with object attributes',
    flat('s1', {
      attributes: {
        'gen_ai.operation.name': 'execute_tool',
        gen_ai: { tool: { name: 'f', call: { arguments: { a: { b: 1 } } } } },
      },
    }),
    [
      'asked (no objective recorded)',
      'tool_call f {"a":{"b":1}}',
      'observation ',
      'source {"trace_id":"tr1"}',
      'step 0: s1',
      'step 1: s1',
    ],
  ],
  [
    'of the JavaScript console exporter',
    new Lines({
      name: 'execute_tool f',
      traceId: 'tr1',
      id: 's1',
      parentSpanContext: { spanId: '0xs0' },
      timestamp: 1767323045000000,
      duration: 2500,
      attributes: TOOL,
      status: { code: 2 },
      events: [],
    }),
    [
      'asked (no objective recorded)',
      'tool_call f {"a":1}',
      'observation done',
      'recorded at 2026-01-02T03:04:05.000Z',
      'source {"trace_id":"tr1"}',
      'step 0: s1, 2.5 ms',
      'step 1: s1, flag',
    ],
  ],
  [
    'of Python, with a context and times as text',
    new Lines(
      {
        name: 'execute_tool f',
        context: { trace_id: '0xtr1', span_id: '0xs1' },
        parent_id: null,
        start_time: '2026-01-02 03:04:05.000000',
        end_time: '2026-01-02T03:04:06+00:00',
        attributes: TOOL,
        status: { status_code: 'OK' },
      },
      {
        name: 'execute_tool f',
        context: { trace_id: '0xtr1', span_id: '0xs2' },
        start_time: 'never',
        end_time: 'never',
        attributes: { ...TOOL, 'gen_ai.tool.call.result': 'broken' },
        status: { status_code: 'ERROR' },
      },
    ),
    [
      'asked (no objective recorded)',
      'tool_call f {"a":1}',
      'observation broken',
      'error_recovery f {"a":1}',
      'observation done',
      'source {"trace_id":"tr1"}',
      'step 0: s2',
      'step 1: s2, flag',
      'step 2: s1, 1000 ms',
      'step 3: s1',
    ],
  ],
  [
    'of a table with columns for attributes',
    [
      {
        name: 'f',
        'context.trace_id': 'tr1',
        'context.span_id': 's1',
        span_kind: 'tool',
        start_time: [1767323045, 500000000],
        end_time: [1767323046, 0],
        'attributes.tool.name': 'f',
        'attributes.input.value': '{"a":1}',
        'attributes.output.value': 'done',
        status_code: 'StatusCode.ERROR',
      },
      {
        name: 'llm',
        'context.trace_id': 'tr1',
        'context.span_id': 's2',
        span_kind: 'llm',
        start_time: '1767323047000000000',
        end_time: 1767323048000,
        'attributes.llm': {
          input_messages: [{ message: { role: 'user', content: 'Go.' } }],
          output_messages: [{ message: { role: 'assistant', content: 'Gone.' } }],
          model_name: 'm',
          nothing: null,
        },
      },
    ],
    [
      'asked Go.',
      'tool_call f {"a":1}',
      'observation done',
      'error_recovery Gone.',
      'recorded at 2026-01-02T03:04:05.500Z',
      'source {"trace_id":"tr1"}',
      'model m',
      'step 0: s1, 500 ms',
      'step 1: s1, flag',
    ],
  ],
  [
    'in a separate list',
    {
      session_id: 'x',
      spans: [
        flat('s1', {
          attributes: TOOL,
          startTimeUnixNano: '1767323045000000000',
          endTimeUnixNano: '1767323046000000000',
          resource: { attributes: { 'service.name': 'shop' } },
          status: 'ERROR',
        }),
      ],
    },
    [
      'asked (no objective recorded)',
      'tool_call f {"a":1}',
      'observation done',
      'recorded at 2026-01-02T03:04:05.000Z',
      'agent shop',
      'source {"trace_id":"tr1"}',
      'step 0: s1, 1000 ms',
      'step 1: s1, flag',
    ],
  ],
  [
    'event bodies of the AWS distribution',
    [
      flat('s1', {
        start_time: 1,
        end_time: 2,
        span_events: [
          { event_name: 'other', body: { output: 1 } },
          {
            body: {
              input: { messages: [{ role: 'user', content: 'Go.' }] },
              output: {
                messages: [
                  {
                    role: 'assistant',
                    content: JSON.stringify({
                      generations: [
                        [
                          {
                            text: 'I look.',
                            message: {
                              kwargs: { tool_calls: [{ id: 'c1', name: 'f', args: { a: 1 } }] },
                            },
                          },
                        ],
                      ],
                    }),
                  },
                ],
              },
            },
          },
        ],
      }),
      flat('s2', {
        start_time: 3,
        end_time: 4,
        span_events: [
          {
            attributes: {
              input: { messages: [{ content: "{'a': 1}" }] },
              output: {
                messages: [
                  { content: '{"type":"tool","name":"f","content":"done","tool_call_id":"c1"}' },
                ],
              },
            },
          },
        ],
      }),
      flat('s3', {
        start_time: 5,
        end_time: 6,
        span_events: [
          {
            body: {
              input: 'none',
              output: { messages: [{ content: { type: 'tool', name: 'g', content: 'more' } }] },
            },
          },
        ],
      }),
      flat('s4', {
        start_time: 7,
        end_time: 8,
        span_events: [
          {
            body: {
              input: { messages: [{ content: '{"b": "it\'s"}' }] },
              output: { messages: [{ content: { type: 'tool', name: 'h' } }] },
            },
          },
        ],
      }),
      flat('s5', {
        start_time: 9,
        end_time: 10,
        span_events: [
          { body: { output: { messages: [{ content: { type: 'human', name: 'x' } }] } } },
          { body: { output: { messages: [{ content: { type: 'tool' } }] } } },
        ],
      }),
      flat('s6', {
        start_time: 11,
        end_time: 12,
        span_events: [
          {
            body: {
              output: {
                messages: [
                  { content: { generations: [{ text: 'Gone.', message: { tool_calls: null } }] } },
                ],
              },
            },
          },
        ],
      }),
    ],
    [
      'asked Go.',
      'thought I look.',
      'tool_call f {"a":1}',
      'observation done',
      'tool_call g',
      'observation more',
      'tool_call h {"b":"it\'s"}',
      'observation ',
      'thought Gone.',
      'recorded at 1970-01-01T00:00:00.001Z',
      'source {"trace_id":"tr1"}',
      'step 1: c1, 1 ms',
      'step 2: c1',
      'step 3: s3, 1 ms',
      'step 4: s3',
      'step 5: s4, 1 ms',
      'step 6: s4',
    ],
  ],
]);
