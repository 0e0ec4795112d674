import type { ImporterSample } from '../../importer/importer.ts';

const span = (
  id: string,
  type: string,
  second: number,
  said: object,
  fields: object = {},
): object => ({
  name: `module.${id}`,
  context: { trace_id: '0xa262a1005533d3dc6fd375c37d31ee95', span_id: `0x${id}` },
  parent_id: id === 'a1' ? null : '0xa1',
  start_time: `2026-01-02T03:04:0${second}Z`,
  end_time: `2026-01-02T03:04:0${second}.500Z`,
  status: { status_code: 'OK' },
  attributes: { 'monocle_apptrace.version': '0.8.4', 'span.type': type, ...fields },
  events: Object.entries(said).map(([name, attributes]) => ({ name: `data.${name}`, attributes })),
});

export const samples: readonly ImporterSample[] = [
  {
    name: 'a turn with a tool call',
    text: JSON.stringify([
      span('a1', 'agentic.turn', 1, { input: { input: 'Flights?' } }),
      span('b1', 'inference', 2, {
        input: { input: ['{"system": "You plan trips."}', '{"user": "Flights?"}'] },
        output: { response: '{"assistant": "I search."}' },
      }),
      span(
        'c1',
        'agentic.tool.invocation',
        3,
        { input: { input: '{"to": "SFO"}' }, output: { response: 'Delta, $320' } },
        { 'entity.1.name': 'search_flights', 'entity.1.type': 'tool.microsoft' },
      ),
      span('d1', 'inference', 4, {
        input: { input: ['{"user": "Flights?"}', '{"call_id": "x", "output": "Delta, $320"}'] },
        output: { response: '{"assistant": "Take Delta."}' },
      }),
    ]),
    outline: [
      'asked Flights?',
      'thought I search.',
      'tool_call search_flights {"to":"SFO"}',
      'observation Delta, $320',
      'thought Take Delta.',
      'recorded at 2026-01-02T03:04:02.000Z',
      'source {"trace_id":"a262a1005533d3dc6fd375c37d31ee95"}',
      'step 1: c1, 500 ms',
      'step 2: c1',
    ],
  },
];
