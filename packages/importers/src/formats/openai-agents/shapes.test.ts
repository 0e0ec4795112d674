import { describeShapes, Lines } from '../../../test/shapes.ts';

const call = (id: string, fields: object = {}): object => ({
  type: 'function_call',
  call_id: id,
  name: 'f',
  arguments: '{}',
  ...fields,
});
const output = (id: string, value: unknown, fields: object = {}): object => ({
  type: 'function_call_output',
  call_id: id,
  output: value,
  ...fields,
});
const usage = { requests: 1 };

describeShapes('openai-agents', [
  [
    'bare run items',
    new Lines(
      { type: 'tool_call_item', raw_item: call('c1') },
      { type: 'tool_call_output_item', raw_item: output('c1', 'x') },
    ),
    [
      'asked (no objective recorded)',
      'tool_call f {}',
      'observation x',
      'source {}',
      'step 0: c1',
      'step 1: c1',
    ],
  ],
  [
    'a result that holds its state',
    {
      state: {
        $schemaVersion: '1.0',
        last_agent: { name: 'Last' },
        conversation_id: 'v1',
        trace: { id: 'trace_1' },
        generatedItems: [],
        rawResponses: [{ usage, output: [call('c1')] }],
        input: 'Go.',
      },
    },
    [
      'asked Go.',
      'tool_call f {}',
      'agent Last',
      'framework openai-agents',
      'source {"conversation_id":"v1","trace_id":"trace_1"}',
      'step 0: c1',
    ],
  ],
  [
    'an answer that is not a run item',
    {
      newItems: [
        { type: 'handoff', rawItem: call('c0') },
        { type: 'tool_call_item', rawItem: call('c1') },
      ],
      input: 'Go.',
      lastAgent: 'text',
    },
    [
      'asked Go.',
      'tool_call f {}',
      'tool_call f {}',
      'framework openai-agents',
      'source {}',
      'step 0: c0',
      'step 1: c1',
    ],
  ],
]);
