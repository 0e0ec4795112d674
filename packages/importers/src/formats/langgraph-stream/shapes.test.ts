import { describeShapes } from '../../../test/shapes.ts';

const message = (name: string, kwargs: object): object => ({
  lc: 1,
  type: 'constructor',
  id: ['langchain_core', 'messages', name],
  kwargs,
});
const chunk = (fields: object, metadata: object = {}): unknown[] => [
  message('AIMessageChunk', fields),
  { langgraph_step: 1, ...metadata },
];

describeShapes('langgraph-stream', [
  [
    'namespaces, messages again in full, blocks, two calls at once',
    [
      [['sub:1'], chunk({ id: 'a1', content: 'Ear', tool_calls: [] })],
      ['messages', chunk({ id: 'a1', content: 'Early.' })],
      chunk({ id: 'a2', content: 'One ', tool_call_chunks: [] }),
      chunk({ id: 'a2', content: [{ type: 'text', text: 'two.' }], tool_call_chunks: [] }),
      chunk({ id: 'a2', content: '', tool_call_chunks: [{ index: 0, id: 'c1', name: 'f' }] }),
      chunk({
        id: 'a2',
        content: '',
        tool_call_chunks: [
          { index: 1, id: 'c2', name: 'g', args: '{}' },
          { index: 0, args: '{"a":1}' },
          { index: 2, args: 'nameless' },
        ],
      }),
      chunk({ content: 'No id.' }),
      [message('HumanMessage', { content: 'Asked.' }), { langgraph_node: 'n' }],
      chunk({ id: 'a3', content: 'Whole.', tool_calls: [{ id: 'c3', name: 'h', args: {} }] }),
    ],
    [
      'asked Asked.',
      'thought Early.',
      'thought One ',
      'thought two.',
      'tool_call f {"a":1}',
      'tool_call g {}',
      'thought No id.',
      'thought Whole.',
      'tool_call h {}',
      'framework langgraph',
      'source {}',
      'step 3: c1',
      'step 4: c2',
      'step 7: c3',
    ],
  ],
]);
