import type { ImporterSample } from '../../importer/importer.ts';
import { ITEMS, OBJECTIVE, STEPS } from '../../importer/samples/weather.ts';

const rollout = (type: string, payload: object): string =>
  JSON.stringify({ timestamp: '2026-01-02T03:04:05.000Z', type, payload });

export const samples: readonly ImporterSample[] = [
  {
    name: 'a session file',
    text: [
      rollout('session_meta', { id: 's-1', timestamp: '2026-01-02T03:04:05.000Z', cwd: '/x' }),
      rollout('response_item', {
        type: 'message',
        role: 'user',
        content: [{ type: 'input_text', text: '<environment_context>x</environment_context>' }],
      }),
      rollout('turn_context', { model: 'gpt-5', cwd: '/x' }),
      rollout('response_item', { type: 'message', ...ITEMS[0] }),
      rollout('event_msg', { type: 'user_message', message: OBJECTIVE }),
      ...ITEMS.slice(1).map((item) => rollout('response_item', item)),
      rollout('event_msg', { type: 'agent_message', message: 'It rains.' }),
      rollout('compacted', { message: 'short', replacement_history: ITEMS }),
      rollout('response_item', {
        type: 'custom_tool_call',
        call_id: 'call_2',
        name: 'apply_patch',
        input: '*** Begin Patch',
      }),
    ].join('\n'),
    outline: [
      `asked ${OBJECTIVE}`,
      ...STEPS,
      'tool_call apply_patch *** Begin Patch',
      'recorded at 2026-01-02T03:04:05.000Z',
      'framework codex',
      'source {"session_id":"s-1"}',
      'model gpt-5',
      'omitted {"context":1,"compaction":1}',
      'step 1: call_1',
      'step 2: call_1',
      'step 4: call_2',
    ],
  },
  {
    name: 'a session file of the first versions',
    text: [{ id: 's-2', timestamp: '2025-06-01T00:00:00Z', instructions: null }, ...ITEMS]
      .map((line) => JSON.stringify(line))
      .join('\n'),
    outline: [
      `asked ${OBJECTIVE}`,
      ...STEPS,
      'recorded at 2025-06-01T00:00:00.000Z',
      'framework codex',
      'source {"session_id":"s-2"}',
      'step 1: call_1',
      'step 2: call_1',
    ],
  },
];
