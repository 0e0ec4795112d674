import type { ImporterSample } from '../../importer/importer.ts';
import { otlp, span } from '../../importer/samples/otlp.ts';

const kind = (name: string, fields: object): Record<string, unknown> => ({
  'openinference.span.kind': name,
  ...fields,
});

export const samples: readonly ImporterSample[] = [
  {
    name: 'an agent with a tool call, in OTLP JSON',
    text: otlp(
      span('a1', 'agent', 1, kind('AGENT', { 'input.value': 'Weather in Oslo?' })),
      span(
        'b1',
        'llm',
        2,
        kind('LLM', {
          'llm.input_messages.0.message.role': 'user',
          'llm.input_messages.0.message.content': 'Weather in Oslo?',
          'llm.output_messages.0.message.role': 'assistant',
          'llm.output_messages.0.message.content': 'I look.',
        }),
        'a1',
      ),
      span(
        'c1',
        'get_weather',
        3,
        kind('TOOL', {
          'tool.name': 'get_weather',
          'input.value': '{"city":"Oslo"}',
          'output.value': 'Rain.',
        }),
        'a1',
      ),
    ),
    outline: [
      'asked Weather in Oslo?',
      'thought I look.',
      'tool_call get_weather {"city":"Oslo"}',
      'observation Rain.',
      'recorded at 2026-01-02T03:04:02.000Z',
      'source {"trace_id":"bc07807133692d12e4268dc007ef9a19"}',
      'step 1: c1, 500 ms',
      'step 2: c1',
    ],
  },
];
