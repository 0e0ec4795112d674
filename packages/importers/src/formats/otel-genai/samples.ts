import type { ImporterSample } from '../../importer/importer.ts';
import { otlp, span } from '../../importer/samples/otlp.ts';

const USER = { role: 'user', parts: [{ type: 'text', content: 'Weather in Oslo?' }] };
const CALL = {
  role: 'assistant',
  parts: [{ type: 'tool_call', id: 'c1', name: 'get_weather', arguments: { city: 'Oslo' } }],
};
const ANSWER = {
  role: 'tool',
  parts: [{ type: 'tool_call_response', id: 'c1', response: 'Rain.' }],
};
const LAST = { role: 'assistant', parts: [{ type: 'text', content: 'It rains.' }] };

export const samples: readonly ImporterSample[] = [
  {
    name: 'an agent with a tool call, in OTLP JSON',
    text: otlp(
      span('a1', 'invoke_agent', 1, { 'gen_ai.operation.name': 'invoke_agent' }),
      span(
        'b1',
        'chat',
        2,
        {
          'gen_ai.operation.name': 'chat',
          'gen_ai.request.model': 'gpt-4o',
          'gen_ai.input.messages': [USER],
          'gen_ai.output.messages': [CALL],
        },
        'a1',
      ),
      span(
        'c1',
        'execute_tool get_weather',
        3,
        {
          'gen_ai.operation.name': 'execute_tool',
          'gen_ai.tool.name': 'get_weather',
          'gen_ai.tool.call.id': 'c1',
          'gen_ai.tool.call.result': 'Rain.',
        },
        'a1',
      ),
      span(
        'd1',
        'chat',
        4,
        {
          'gen_ai.operation.name': 'chat',
          'gen_ai.input.messages': [USER, CALL, ANSWER],
          'gen_ai.output.messages': [LAST],
        },
        'a1',
      ),
    ),
    outline: [
      'asked Weather in Oslo?',
      'tool_call get_weather {"city":"Oslo"}',
      'observation Rain.',
      'thought It rains.',
      'recorded at 2026-01-02T03:04:02.000Z',
      'source {"trace_id":"bc07807133692d12e4268dc007ef9a19"}',
      'model gpt-4o',
      'step 0: c1, 500 ms',
      'step 1: c1',
    ],
  },
];
