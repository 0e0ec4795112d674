import { describe, expect, it } from 'bun:test';
import { describeImporterContract } from '../../../test/contract.ts';
import { importAll, importOne, sketch } from '../../../test/read.ts';

const MESSAGES = [
  { role: 'user', content: 'What is the weather in Oslo?' },
  {
    role: 'assistant',
    content: [
      { type: 'thinking', thinking: 'I need the tool.', signature: 'x' },
      { type: 'redacted_thinking', data: 'x' },
      { type: 'text', text: 'I ask.' },
      { type: 'tool_use', id: 't1', name: 'weather', input: { city: 'Oslo' } },
      { type: 'tool_use', id: 't2', name: 'time', input: {} },
    ],
  },
  {
    role: 'user',
    content: [
      {
        type: 'tool_result',
        tool_use_id: 't2',
        content: [
          { type: 'text', text: '12:00' },
          { type: 'image', source: {} },
        ],
      },
      { type: 'tool_result', tool_use_id: 't1', content: 'no such city', is_error: true },
      { type: 'text', text: 'Oslo in Norway!' },
    ],
  },
  {
    role: 'assistant',
    content: [
      { type: 'server_tool_use', id: 's1', name: 'web_search', input: { query: 'Oslo' } },
      {
        type: 'web_search_tool_result',
        tool_use_id: 's1',
        content: [{ type: 'web_search_result', title: 'Oslo', url: 'https://example.org' }],
      },
      { type: 'text', text: 'Rain.' },
    ],
  },
];

describeImporterContract('anthropic', [
  {
    name: 'a request',
    text: JSON.stringify(
      { id: 'r1', model: 'm', system: 'Be brief.', messages: MESSAGES },
      null,
      2,
    ),
    runs: 1,
  },
  {
    name: 'requests a line',
    text: `${JSON.stringify({ messages: MESSAGES })}\n`.repeat(2),
    runs: 2,
  },
  { name: 'messages by themselves', text: JSON.stringify(MESSAGES), runs: 1 },
]);

describe('anthropic', () => {
  it('reads blocks in order and results before the text of the same message', async () => {
    const run = await importOne({ model: 'm', system: 'Be brief.', messages: MESSAGES });
    expect(run.trace.task.objective).toBe('What is the weather in Oslo?');
    expect(sketch(run)).toEqual([
      'thought I need the tool.',
      'thought I ask.',
      'tool_call weather {"city":"Oslo"}',
      'tool_call time {}',
      'observation 12:00\n[image]',
      'observation no such city',
      'observation Oslo in Norway!',
      'error_recovery web_search {"query":"Oslo"}',
      'observation [{"type":"web_search_result","title":"Oslo","url":"https://example.org"}]',
      'thought Rain.',
    ]);
    expect(run.trace.steps[5]?.['kp:source']).toEqual({ call_id: 't1', error: 'flag' });
    expect(run.provenance?.omitted).toEqual({ redacted_thinking: 1, image: 1 });
    expect(run.trace.metadata.agent_id).toBe('m');
  });

  it('appends a logged answer to the request', async () => {
    const response = {
      role: 'assistant',
      content: [{ type: 'tool_use', id: 'a', name: 'f', input: {} }],
    };
    const run = await importOne({ request: { messages: [MESSAGES[0]] }, response });
    expect(run.format).toBe('anthropic');
    expect(sketch(run)).toEqual(['tool_call f {}']);
  });

  it('asks for the format if two formats match', async () => {
    const mixed = [
      ...MESSAGES,
      { role: 'assistant', tool_calls: [{ id: 'c', function: { name: 'f', arguments: '{}' } }] },
    ];
    const [item] = await importAll(JSON.stringify(mixed));
    expect(item).toMatchObject({ kind: 'error', error: { code: 'AMBIGUOUS_FORMAT' } });
    expect(item?.kind === 'error' && item.error.message).toContain(
      'openai-chat (tool_calls[].function.name) and anthropic',
    );
  });

  it('names the invalid block', async () => {
    const broken = [MESSAGES[0], { role: 'assistant', content: [{ type: 'tool_use', input: {} }] }];
    expect(await importAll(JSON.stringify(broken))).toMatchObject([
      {
        error: {
          message:
            'line 1: messages[1].content[0].name: expected the name of a tool, received nothing',
        },
      },
    ]);
  });
});
