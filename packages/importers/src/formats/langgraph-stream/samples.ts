import type { ImporterSample } from '../../importer/importer.ts';

const ASKED = 'tool_call get_weather {"city":"Oslo"}';
const STEPS = ['thought I have to look.', ASKED, 'observation Rain.', 'thought It rains.'];
const message = (name: string, kwargs: object): object => ({
  lc: 1,
  type: 'constructor',
  id: ['langchain_core', 'messages', name],
  kwargs,
});
const chunk = (fields: object): object[] => [
  message('AIMessageChunk', { id: 'a1', content: '', ...fields }),
  { langgraph_step: 1, langgraph_node: 'agent', thread_id: 't1' },
];

export const samples: readonly ImporterSample[] = [
  {
    name: 'chunks with their metadata',
    text: JSON.stringify([
      chunk({ content: 'I have ', tool_call_chunks: [] }),
      chunk({ content: 'to look.', tool_call_chunks: [] }),
      chunk({ tool_call_chunks: [{ index: 0, id: 'c1', name: 'get_weather', args: '{"city"' }] }),
      chunk({ tool_call_chunks: [{ index: 0, args: ':"Oslo"}' }] }),
      [
        message('ToolMessage', { id: 'b1', content: 'Rain.', tool_call_id: 'c1' }),
        { langgraph_step: 2 },
      ],
    ]),
    outline: [
      'asked (no objective recorded)',
      ...STEPS.slice(0, 3),
      'framework langgraph',
      'source {"thread_id":"t1"}',
      'step 1: c1',
      'step 2: c1',
    ],
  },
];
