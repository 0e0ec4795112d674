import { describeShapes } from '../../../test/shapes.ts';

const human = { type: 'human', content: 'Weather in Oslo?', additional_kwargs: {} };
const ai = {
  type: 'ai',
  content: '',
  tool_calls: [{ name: 'weather', args: { city: 'Oslo' }, id: 'c1', type: 'tool_call' }],
};
const span = (name: string, type: string, inputs: unknown, outputs: unknown, parent = 'r') => ({
  name,
  context: { trace_id: '0x1', span_id: name },
  parent_id: name === 'r' ? null : parent,
  start_time: 1767323045000000000,
  end_time: 1767323046000000000,
  status_code: 'OK',
  status_message: '',
  attributes: {
    'mlflow.traceRequestId': '"7763b8"',
    'mlflow.spanType': JSON.stringify(type),
    'mlflow.spanInputs': JSON.stringify(inputs),
    'mlflow.spanOutputs': JSON.stringify(outputs),
  },
  events: [],
});

describeShapes('mlflow', [
  [
    'the artifact of a trace, with messages of LangChain',
    {
      spans: [
        span('r', 'CHAIN', { input: 'Weather in Oslo?' }, 'Rain.'),
        span('ChatOpenAI', 'CHAT_MODEL', [[human]], {
          generations: [[{ text: '', message: ai, type: 'ChatGeneration' }]],
        }),
        span(
          'weather',
          'TOOL',
          { city: 'Oslo' },
          { type: 'tool', content: 'Rain.', tool_call_id: 'c1' },
        ),
      ],
      request: '{"input": "Weather in Oslo?"}',
      response: '"Rain."',
    },
    [
      'asked Weather in Oslo?',
      'tool_call weather {"city":"Oslo"}',
      'observation Rain.',
      'recorded at 2026-01-02T03:04:05.000Z',
      'framework mlflow',
      'source {"trace_id":"7763b8"}',
      'step 0: c1, 1000 ms',
      'step 1: c1',
    ],
  ],
]);
