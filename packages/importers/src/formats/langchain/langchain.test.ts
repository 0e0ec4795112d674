import { describe, expect, it } from 'bun:test';
import { describeImporterContract } from '../../../test/contract.ts';
import { importAll, importOne, sketch } from '../../../test/read.ts';

type Fields = Record<string, unknown> & { content: unknown };

/** A conversation as message types and fields, which each test writes in one LangChain format. */
const MESSAGES: [kind: string, fields: Fields][] = [
  ['System', { content: 'Be brief.' }],
  [
    'Human',
    {
      content: [
        { type: 'text', text: 'Weather?' },
        { type: 'image_url', image_url: 'x' },
      ],
    },
  ],
  [
    'AI',
    {
      content: [
        { type: 'text', text: 'I ask.' },
        { type: 'tool_use', id: 'a', name: 'weather', input: { city: 'Oslo' } },
      ],
      tool_calls: [
        { name: 'weather', args: { city: 'Oslo' }, id: 'a', type: 'tool_call' },
        { name: 'time', args: {}, id: 'b', type: 'tool_call' },
      ],
      invalid_tool_calls: [{ name: 'broken', args: '{"x":', id: 'c', error: 'bad JSON' }],
    },
  ],
  ['Tool', { content: 'no such city', tool_call_id: 'a', status: 'error' }],
  ['Tool', { content: '', tool_call_id: 'b', status: 'success' }],
  ['Human', { content: 'In Norway.' }],
  ['AI', { content: 'Rain.', tool_calls: [] }],
];

const dumps = MESSAGES.map(([kind, kwargs]) => ({
  lc: 1,
  type: 'constructor',
  id: ['langchain', 'schema', 'messages', `${kind}Message`],
  kwargs,
}));
const toDict = MESSAGES.map(([kind, data]) => ({ type: kind.toLowerCase(), data }));
const flat = MESSAGES.map(([kind, fields]) => ({
  ...fields,
  type: kind.toLowerCase(),
  additional_kwargs: {},
  response_metadata: {},
  id: null,
}));

const STEPS = [
  'thought I ask.',
  'tool_call weather {"city":"Oslo"}',
  'tool_call time {}',
  'tool_call broken {"x":',
  'observation no such city',
  'observation ',
  'observation In Norway.',
  'error_recovery Rain.',
];

describeImporterContract('langchain', [
  { name: 'dumps', text: JSON.stringify(dumps), runs: 1 },
  { name: 'messages_to_dict', text: JSON.stringify({ messages: toDict }, null, 2), runs: 1 },
  {
    name: 'states a line',
    text: `${JSON.stringify({ values: { messages: flat }, thread_id: 't1' })}\n`.repeat(2),
    runs: 2,
  },
  {
    name: 'a message a line',
    text: flat.map((message) => `${JSON.stringify(message)}\n`).join(''),
    runs: 1,
  },
]);

describe('langchain', () => {
  it.each([
    ['dumps', dumps],
    ['messages_to_dict', toDict],
    ['model_dump', flat],
    ['a state', { values: { messages: flat } }],
    ['a checkpoint', { channel_values: { messages: dumps } }],
    ['a run', { inputs: {}, outputs: { messages: flat } }],
  ])('reads the same from %s', async (_name, value) => {
    const run = await importOne(value);
    expect(run.format).toBe('langchain');
    expect(run.trace.task.objective).toBe('Weather?\n[image]');
    expect(sketch(run)).toEqual(STEPS);
    expect(run.trace.steps[4]?.['kp:source']).toEqual({ call_id: 'a', error: 'flag' });
  });

  it('reads calls that are only in the provider’s fields or in the content', async () => {
    const raw = { tool_calls: [{ id: 'a', function: { name: 'f', arguments: '{"x":1}' } }] };
    const blocks = [{ type: 'tool_use', id: 'a', name: 'f', input: { x: 1 } }];
    for (const fields of [{ content: '', additional_kwargs: raw }, { content: blocks }]) {
      const run = await importOne([
        { type: 'human', content: 'Go.' },
        { type: 'ai', ...fields },
      ]);
      expect(sketch(run)).toEqual(['tool_call f {"x":1}']);
    }
  });

  it('counts content that is neither text nor a call', async () => {
    const run = await importOne([
      { type: 'human', content: 'Go.' },
      { type: 'remove', content: '', id: 'x' },
      { type: 'AIMessageChunk', content: '' },
      { type: 'ai', content: 'Gone.' },
    ]);
    expect(sketch(run)).toEqual(['thought Gone.']);
    expect(run.provenance?.omitted).toEqual({ removed_message: 1, empty_message: 1 });
  });

  it('names the invalid call', async () => {
    const [item] = await importAll(
      JSON.stringify([{ type: 'ai', content: '', tool_calls: [{ args: {} }] }]),
    );
    expect(item?.kind === 'error' && item.error.message).toBe(
      'line 1: messages[0].tool_calls[].name: expected the name of a tool, received nothing',
    );
  });
});
