import { describeShapes } from '../../../test/shapes.ts';

const ids = { root_span_id: 'r', span_id: 's2', span_parents: ['r'] };
const message = (name: string, kwargs: object) => ({
  lc: 1,
  type: 'constructor',
  id: ['langchain_core', 'messages', name],
  kwargs,
});

describeShapes('braintrust', [
  [
    'rows of a logger that are merged later, with messages of LangChain',
    [
      {
        ...{ _is_merge: false, id: '1', root_span_id: 'r', span_id: 'r' },
        span_attributes: { name: 'root', type: 'task' },
        metrics: { start: 1767323045 },
      },
      {
        ...{ _is_merge: false, id: '2', ...ids },
        span_attributes: { name: 'ChatOpenAI', type: 'llm' },
        input: [[message('HumanMessage', { content: 'Weather in Oslo?' })]],
        metadata: { model: 'gpt-4o' },
        metrics: { start: 1767323045 },
      },
      {
        ...{ _is_merge: true, id: '2', ...ids },
        output: { generations: [[{ message: message('AIMessage', { content: 'Rain.' }) }]] },
      },
      {
        ...{ _is_merge: true, id: '2', ...ids },
        metrics: { end: 1767323046, prompt_tokens: 9, completion_tokens: 3 },
      },
    ],
    [
      'asked Weather in Oslo?',
      'thought Rain.',
      'recorded at 2026-01-02T03:04:05.000Z',
      'framework braintrust',
      'source {"root_span_id":"r"}',
      'model gpt-4o',
    ],
  ],
]);
