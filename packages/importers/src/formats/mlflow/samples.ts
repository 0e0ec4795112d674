import type { ImporterSample } from '../../importer/importer.ts';

const asked = { role: 'user', content: 'What is the weather in Oslo?' };
const requested = {
  role: 'assistant',
  content: 'I have to look.',
  tool_calls: [
    { id: 'c1', type: 'function', function: { name: 'get_weather', arguments: '{"city":"Oslo"}' } },
  ],
};
const FIRST = [
  ['agent', 'AGENT', {}, {}],
  [
    'Completions_1',
    'CHAT_MODEL',
    { model: 'gpt-4o', messages: [asked] },
    { choices: [{ message: requested }] },
  ],
  ['get_weather', 'TOOL', { city: 'Oslo' }, 'Rain.'],
  [
    'Completions_2',
    'CHAT_MODEL',
    { messages: [asked, requested, { role: 'tool', tool_call_id: 'c1', content: 'Rain.' }] },
    { choices: [{ message: { role: 'assistant', content: 'It rains.' } }] },
  ],
] as const;
const attributes = (type: string, inputs: unknown, outputs: unknown): object => ({
  'mlflow.traceRequestId': '"tr-1"',
  'mlflow.spanType': JSON.stringify(type),
  'mlflow.spanInputs': JSON.stringify(inputs),
  'mlflow.spanOutputs': JSON.stringify(outputs),
});

export const samples: readonly ImporterSample[] = [
  {
    name: 'a trace of schema version 3',
    text: JSON.stringify({
      info: {
        trace_id: 'tr-1',
        trace_location: { type: 'MLFLOW_EXPERIMENT' },
        request_time: '2026-01-02T03:04:05Z',
        state: 'OK',
        trace_metadata: { 'mlflow.trace.session': 's1', 'mlflow.trace.user': 'u1' },
        assessments: [{ assessment_name: 'correctness', feedback: { value: 'yes' } }],
      },
      data: {
        spans: FIRST.map(([name, type, inputs, outputs], index) => ({
          trace_id: 'dHI=',
          span_id: `s${index}`,
          parent_span_id: index === 0 ? '' : 's0',
          name,
          start_time_unix_nano: 1767323045000000000 + index * 1e9,
          end_time_unix_nano: 1767323045500000000 + index * 1e9,
          events: [],
          status: { code: 'STATUS_CODE_OK', message: '' },
          attributes: {
            ...attributes(type, inputs, outputs),
            ...(type === 'CHAT_MODEL' && {
              'mlflow.chat.tokenUsage': '{"input_tokens":9,"output_tokens":3,"total_tokens":12}',
            }),
          },
        })),
      },
    }),
    outline: [
      'asked What is the weather in Oslo?',
      'thought I have to look.',
      'tool_call get_weather {"city":"Oslo"}',
      'observation Rain.',
      'thought It rains.',
      'recorded at 2026-01-02T03:04:06.000Z',
      'recorded true',
      'framework mlflow',
      'source {"trace_id":"tr-1"}',
      'verdict assessments.correctness',
      'model gpt-4o',
      'step 1: c1, 500 ms',
      'step 2: c1',
    ],
  },
  {
    name: 'a trace of schema version 2 that failed',
    text: JSON.stringify({
      info: {
        request_id: 'tr-1',
        experiment_id: '0',
        timestamp_ms: 1767323045000,
        status: 'ERROR',
      },
      data: {
        spans: FIRST.slice(0, 3).map(([name, type, inputs], index) => ({
          name,
          context: { span_id: `0x${index}1`, trace_id: '0xabc' },
          parent_id: index === 0 ? null : '0x01',
          start_time: 1767323045000000000 + index * 1e9,
          end_time: 1767323045500000000 + index * 1e9,
          status_code: type === 'TOOL' ? 'ERROR' : 'OK',
          status_message: type === 'TOOL' ? 'no such city' : '',
          attributes: {
            ...attributes(
              type,
              inputs,
              type === 'TOOL' ? null : { choices: [{ message: requested }] },
            ),
          },
          events: [],
        })),
      },
    }),
    outline: [
      'asked What is the weather in Oslo?',
      'thought I have to look.',
      'tool_call get_weather {"city":"Oslo"}',
      'observation no such city',
      'recorded at 2026-01-02T03:04:06.000Z',
      'recorded false',
      'framework mlflow',
      'source {"trace_id":"tr-1"}',
      'verdict state',
      'model gpt-4o',
      'step 1: c1, 500 ms',
      'step 2: c1, flag',
    ],
  },
];
