import { describeShapes } from '../../../test/shapes.ts';

const event = (name: string, attributes: object): object => ({ name, attributes });
const span = (id: string, type: string, events: object[], fields: object = {}): object => ({
  span_name: id,
  trace_id: 't1',
  span_id: id,
  parent_id: 'w',
  start_time: `2026-01-02T03:04:0${id}Z`,
  end_time: `2026-01-02T03:04:0${id}Z`,
  status: { code: 'ok' },
  ...fields,
  attributes: {
    'monocle_apptrace.version': '0.8.0',
    'span.type': type,
    entity: [{ name: 'get_weather' }, { name: 'agent' }],
  },
  events,
});
const asked = event('data.input', { input: ['{"human": "Weather?"}'] });

describeShapes('monocle', [
  [
    'an export of Okahu with the roles of LangChain',
    {
      trace_id: 't1',
      spans: [
        span('1', 'inference.framework', [
          asked,
          event('data.output', {
            response: '{"ai": {"name": "get_weather", "args": {}, "id": "c1"}}',
          }),
        ]),
        span('2', 'agentic.tool.invocation', [
          event('data.input', { input: '{}' }),
          event('data.output', { response: 'Rain.' }),
        ]),
        span('3', 'inference.framework', [
          event('data.output', { response: '{"model": "It rains."}' }),
        ]),
      ],
    },
    [
      'asked Weather?',
      'tool_call get_weather {}',
      'observation Rain.',
      'thought It rains.',
      'recorded at 2026-01-02T03:04:01.000Z',
      'source {"trace_id":"t1"}',
      'step 0: c1',
      'step 1: c1',
    ],
  ],
  [
    'a model that failed last',
    [
      span(
        '1',
        'inference',
        [asked, event('data.output', { error_code: 'error', response: 'Error code: 401' })],
        { status: { code: 'error' } },
      ),
    ],
    ['crashed Error code: 401'],
  ],
  [
    'answers of the agent alone',
    [
      span('1', 'agentic.invocation', [
        event('data.input', { input: 'Weather?' }),
        event('data.output', { response: 'It rains.' }),
      ]),
      span('2', 'inference', [asked, event('data.output', {})]),
    ],
    [
      'asked Weather?',
      'thought It rains.',
      'recorded at 2026-01-02T03:04:01.000Z',
      'source {"trace_id":"t1"}',
    ],
  ],
]);
