import type { ImporterSample } from '../../importer/importer.ts';
import { CALL, ITEMS, OBJECTIVE, STEPS } from '../../importer/samples/weather.ts';

const camel = ({ call_id, ...item }: Record<string, unknown>): object =>
  call_id === undefined ? item : { ...item, callId: call_id };

export const samples: readonly ImporterSample[] = [
  {
    name: 'RunState, JavaScript',
    text: JSON.stringify({
      $schemaVersion: '1.17',
      currentAgent: { name: 'Weather' },
      originalInput: OBJECTIVE,
      modelResponses: [{ output: [ITEMS[1], camel(CALL)], responseId: 'r' }],
      generatedItems: [
        { type: 'reasoning_item', rawItem: ITEMS[1], agent: { name: 'Weather' } },
        { type: 'tool_call_item', rawItem: camel(CALL), agent: { name: 'Weather' } },
        {
          type: 'tool_call_output_item',
          rawItem: { type: 'function_call_result', callId: 'call_1', output: 'Rain.' },
          output: 'Rain.',
        },
        { type: 'message_output_item', rawItem: ITEMS[4] },
      ],
      trace: null,
    }),
    outline: [
      `asked ${OBJECTIVE}`,
      ...STEPS,
      'agent Weather',
      'framework openai-agents',
      'source {}',
      'step 1: call_1',
      'step 2: call_1',
    ],
  },
  {
    name: 'RunState, Python',
    text: JSON.stringify({
      $schemaVersion: '1.13',
      current_agent: { name: 'Weather' },
      original_input: [ITEMS[0]],
      model_responses: [],
      session_items: [{ type: 'reasoning_item', raw_item: ITEMS[1] }],
      generated_items: ITEMS.slice(1).map((raw_item) => ({ type: 'run_item', raw_item })),
    }),
    outline: [
      `asked ${OBJECTIVE}`,
      ...STEPS,
      'agent Weather',
      'framework openai-agents',
      'source {}',
      'step 1: call_1',
      'step 2: call_1',
    ],
  },
  {
    name: 'a result with its new items',
    text: JSON.stringify({
      input: OBJECTIVE,
      newItems: ITEMS.slice(1).map((item) => ({ type: 'run_item', rawItem: camel(item) })),
    }),
    outline: [
      `asked ${OBJECTIVE}`,
      ...STEPS,
      'framework openai-agents',
      'source {}',
      'step 1: call_1',
      'step 2: call_1',
    ],
  },
  {
    name: 'the answers of the model, call by call',
    text: JSON.stringify(
      [ITEMS.slice(1, 3), ITEMS.slice(4)].map((output) => ({
        usage: { requests: 1, inputTokens: 1 },
        output: output.map((item) => camel(item)),
        responseId: 'r',
      })),
    ),
    outline: [
      'asked (no objective recorded)',
      STEPS[0] ?? '',
      STEPS[1] ?? '',
      STEPS[3] ?? '',
      'source {}',
      'step 1: call_1',
    ],
  },
];
