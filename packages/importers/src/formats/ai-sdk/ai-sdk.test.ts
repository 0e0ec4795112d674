import { describe, expect, it } from 'bun:test';
import { describeImporterContract } from '../../../test/contract.ts';
import { importAll, importOne, sketch } from '../../../test/read.ts';

const UI = [
  { id: 'm0', role: 'system', parts: [{ type: 'text', text: 'Be brief.' }] },
  {
    id: 'm1',
    role: 'user',
    parts: [
      { type: 'text', text: 'Weather in Oslo?' },
      { type: 'file', mediaType: 'image/png', url: 'data:x' },
    ],
  },
  {
    id: 'm2',
    role: 'assistant',
    parts: [
      { type: 'step-start' },
      { type: 'reasoning', text: 'I need the tool.' },
      { type: 'text', text: 'I ask.', state: 'done' },
      {
        type: 'tool-get-weather',
        toolCallId: 'a',
        state: 'output-available',
        input: { city: 'Oslo' },
        output: { rain: true },
      },
      {
        type: 'dynamic-tool',
        toolName: 'mcp/time',
        toolCallId: 'b',
        state: 'output-error',
        input: { zone: 'x' },
        errorText: 'unknown zone',
      },
      {
        type: 'tool-send',
        toolCallId: 'c',
        state: 'output-denied',
        input: {},
        approval: { id: 'p', approved: false, reason: 'not now' },
      },
      { type: 'tool-send', toolCallId: 'd', state: 'input-available', input: {} },
      { type: 'source-url', sourceId: 's', url: 'https://example.org' },
      { type: 'data-chart', data: {} },
      { type: 'text', text: 'Rain.' },
    ],
  },
  { id: 'm3', role: 'user', parts: [{ type: 'text', text: 'Thanks.' }] },
];

const MODEL = [
  { role: 'system', content: 'Be brief.' },
  {
    role: 'user',
    content: [
      { type: 'text', text: 'Weather?' },
      { type: 'image', image: 'x' },
    ],
  },
  {
    role: 'assistant',
    content: [
      { type: 'reasoning', text: 'Hm.' },
      { type: 'tool-call', toolCallId: 'a', toolName: 'weather', input: { city: 'Oslo' } },
      { type: 'tool-call', toolCallId: 'b', toolName: 'time', input: {} },
    ],
  },
  {
    role: 'tool',
    content: [
      {
        type: 'tool-result',
        toolCallId: 'b',
        toolName: 'time',
        output: { type: 'json', value: { hour: 12 } },
      },
      {
        type: 'tool-result',
        toolCallId: 'a',
        toolName: 'weather',
        output: { type: 'error-text', value: 'no such city' },
      },
    ],
  },
  { role: 'assistant', content: 'I cannot tell.' },
];

describeImporterContract('ai-sdk', [
  {
    name: 'UI messages of a chat',
    text: JSON.stringify({ id: 'chat-1', messages: UI }, null, 2),
    runs: 1,
  },
  { name: 'UI messages by themselves', text: JSON.stringify(UI), runs: 1 },
  {
    name: 'model messages a line',
    text: MODEL.map((message) => `${JSON.stringify(message)}\n`).join(''),
    runs: 1,
  },
  { name: 'chats a line', text: `${JSON.stringify({ messages: MODEL })}\n`.repeat(2), runs: 2 },
]);

describe('ai-sdk', () => {
  it('reads the parts of UI messages, including calls and results of tools', async () => {
    const run = await importOne({ id: 'chat-1', messages: UI });
    expect(run.trace.task.objective).toBe('Weather in Oslo?\n[image]');
    expect(sketch(run)).toEqual([
      'thought I need the tool.',
      'thought I ask.',
      'tool_call get-weather {"city":"Oslo"}',
      'tool_call mcp/time {"zone":"x"}',
      'tool_call send {}',
      'tool_call send {}',
      'observation {"rain":true}',
      'observation unknown zone',
      'observation not now',
      'error_recovery Rain.',
      'observation Thanks.',
    ]);
    expect(run.provenance).toMatchObject({
      source: { id: 'chat-1' },
      omitted: { image: 1, 'source-url': 1, data: 1 },
    });
  });

  it('reads model messages, parallel calls and typed outputs', async () => {
    const run = await importOne(MODEL);
    expect(run.trace.task.objective).toBe('Weather?\n[image]');
    expect(sketch(run)).toEqual([
      'thought Hm.',
      'tool_call weather {"city":"Oslo"}',
      'tool_call time {}',
      'observation {"hour":12}',
      'observation no such city',
      'error_recovery I cannot tell.',
    ]);
    expect(run.trace.steps[4]?.['kp:source']).toEqual({ call_id: 'a', error: 'flag' });
  });

  it('reads messages of version 4', async () => {
    const invocation = {
      state: 'result',
      toolCallId: 'a',
      toolName: 'f',
      args: { x: 1 },
      result: 'y',
    };
    expect(
      sketch(
        await importOne([
          { id: '1', role: 'user', parts: [{ type: 'text', text: 'Go.' }] },
          {
            id: '2',
            role: 'assistant',
            content: '',
            parts: [{ type: 'tool-invocation', toolInvocation: invocation }],
          },
        ]),
      ),
    ).toEqual(['tool_call f {"x":1}', 'observation y']);
    expect(
      sketch(
        await importOne([
          { role: 'user', content: 'Go.' },
          {
            role: 'assistant',
            content: [{ type: 'tool-call', toolCallId: 'a', toolName: 'f', args: { x: 1 } }],
          },
          {
            role: 'tool',
            content: [
              {
                type: 'tool-result',
                toolCallId: 'a',
                toolName: 'f',
                result: { y: 2 },
                isError: true,
              },
            ],
          },
          { role: 'assistant', content: 'Oh.' },
        ]),
      ),
    ).toEqual(['tool_call f {"x":1}', 'observation {"y":2}', 'error_recovery Oh.']);
  });

  it('places the result of a call before the next call if steps are not marked', async () => {
    const tool = (toolCallId: string) => ({
      ...{ type: 'tool-f', toolCallId, state: 'output-available', input: {} },
      output: `of ${toolCallId}`,
    });
    const messages = [
      { id: '1', role: 'user', parts: [{ type: 'text', text: 'Go.' }] },
      { id: '2', role: 'assistant', parts: [tool('a'), tool('b')] },
    ];
    expect(sketch(await importOne(messages))).toEqual([
      'tool_call f {}',
      'observation of a',
      'tool_call f {}',
      'observation of b',
    ]);
  });

  it.each([
    [5, 'messages[1]: expected a text or parts, received 5'],
    [[5], 'messages[1].parts[0]: expected a part with a type, received 5'],
    [[{ type: 'text', text: 'a' }, { text: 'b' }], 'messages[1].parts[1]: expected a part with a'],
  ])('reports the position of an answer without parts: %j', async (parts, message) => {
    const messages = [UI[0], { id: 'x', role: 'assistant', parts }, UI[1]];
    const [item] = await importAll(JSON.stringify(messages), { format: 'ai-sdk' });
    expect(item).toMatchObject({ error: { message: expect.stringContaining(message) } });
  });

  it('names the invalid part', async () => {
    const broken = [
      UI[1],
      { id: 'x', role: 'assistant', parts: [{ type: 'dynamic-tool', state: 'input-available' }] },
    ];
    expect(await importAll(JSON.stringify(broken))).toMatchObject([
      {
        error: {
          message:
            'line 1: messages[1].parts[0].toolName: expected the name of a tool, received nothing',
        },
      },
    ]);
  });
});
