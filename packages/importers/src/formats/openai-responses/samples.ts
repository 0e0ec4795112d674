import type { ImporterSample } from '../../importer/importer.ts';
import { ITEMS, OBJECTIVE, STEPS } from '../../importer/samples/weather.ts';

export const samples: readonly ImporterSample[] = [
  {
    name: 'items',
    text: JSON.stringify(ITEMS),
    outline: [`asked ${OBJECTIVE}`, ...STEPS, 'source {}', 'step 1: call_1', 'step 2: call_1'],
  },
  {
    name: 'responses that continue one another, one per line',
    text: [
      { id: 'resp_1', output: ITEMS.slice(1, 3), input: OBJECTIVE, previous_response_id: null },
      { id: 'resp_2', output: ITEMS.slice(4), input: [ITEMS[3]], previous_response_id: 'resp_1' },
    ]
      .map((response) => JSON.stringify({ object: 'response', created_at: 1e9, ...response }))
      .join('\n'),
    outline: [
      `asked ${OBJECTIVE}`,
      ...STEPS,
      'recorded at 2001-09-09T01:46:40.000Z',
      'source {"id":"resp_1"}',
      'step 1: call_1',
      'step 2: call_1',
    ],
  },
  {
    name: "the provider's own tools",
    text: JSON.stringify({
      id: 'resp_3',
      object: 'response',
      status: 'completed',
      output: [
        { type: 'mcp_list_tools', id: 'l', server_label: 's', tools: [] },
        { type: 'web_search_call', id: 'ws_1', action: { type: 'search', query: 'Oslo' } },
        {
          type: 'code_interpreter_call',
          id: 'ci_1',
          code: 'print(1)',
          outputs: [{ type: 'logs', logs: '1' }],
        },
        { type: 'mcp_approval_request', id: 'mcpr_1', name: 'send', arguments: '{}' },
        { type: 'mcp_approval_response', approval_request_id: 'mcpr_1', approve: true },
        {
          type: 'mcp_call',
          id: 'mcp_1',
          approval_request_id: 'mcpr_1',
          name: 'send',
          arguments: '{}',
          output: null,
          error: { message: 'offline' },
        },
        { type: 'image_generation_call', id: 'ig_1', result: 'iVBORw0KGgo=', status: 'completed' },
      ],
    }),
    outline: [
      'asked (no objective recorded)',
      'tool_call web_search_call {"type":"search","query":"Oslo"}',
      'tool_call code_interpreter_call print(1)',
      'observation 1',
      'tool_call send {}',
      'observation {"message":"offline"}',
      'error_recovery image_generation_call',
      'observation [image]',
      'source {"id":"resp_3"}',
      'omitted {"mcp_list_tools":1,"approval":1}',
      'step 0: ws_1',
      'step 1: ci_1',
      'step 2: ci_1',
      'step 3: mcpr_1',
      'step 4: mcpr_1, flag',
      'step 5: ig_1',
      'step 6: ig_1',
    ],
  },
];
