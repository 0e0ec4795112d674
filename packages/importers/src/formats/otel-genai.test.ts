import { describe, expect, it } from 'bun:test';
import { describeImporterContract } from '../../test/contract.ts';
import { importAll, importOne, sketch } from '../../test/read.ts';
import { describeRecordings } from '../../test/recordings.ts';
import { jaeger, otlp, type TestSpan } from '../../test/spans.ts';
import { tallyOf } from '../../test/tally.ts';

const text = (role: string, content: string) => ({ role, parts: [{ type: 'text', content }] });
const toolCall = (id: string, name: string, args: object) => ({
  type: 'tool_call',
  id,
  name,
  arguments: args,
});
const response = (id: string, result: string) => ({
  role: 'tool',
  parts: [{ type: 'tool_call_response', id, response: result }],
});

const asked = {
  role: 'assistant',
  parts: [
    { type: 'reasoning', content: 'Hm.' },
    toolCall('c1', 'find', { id: 12 }),
    toolCall('c2', 'stock', {}),
  ],
};
const chat = (inputs: object[], outputs: object[], more: object = {}) => ({
  'gen_ai.operation.name': 'chat',
  'gen_ai.input.messages': JSON.stringify(inputs),
  'gen_ai.output.messages': JSON.stringify(outputs),
  ...more,
});
const tool = (name: string, id: string, more: object = {}) => ({
  'gen_ai.operation.name': 'execute_tool',
  'gen_ai.tool.name': name,
  'gen_ai.tool.call.id': id,
  ...more,
});

const first = [text('system', 'Be brief.'), text('user', 'Order 12?')];
const second = [
  ...first,
  asked,
  response('c1', 'not there'),
  response('c2', '7 left'),
  text('user', 'I mean 21!'),
];

/** Written out of order, as exporters do: the last call before the first. */
const SPANS: TestSpan[] = [
  {
    id: 's9',
    parent: 's1',
    name: 'chat gpt',
    at: [50, 60],
    attributes: chat(second, [text('assistant', 'It is sent.')]),
  },
  {
    id: 's1',
    parent: 's0',
    name: 'invoke_agent shop',
    at: [1, 61],
    attributes: {
      'gen_ai.operation.name': 'invoke_agent',
      'gen_ai.agent.name': 'shop_agent',
      'gen_ai.conversation.id': 'ctx',
    },
  },
  { id: 's0', name: 'POST /', at: [0, 62] },
  {
    id: 's5',
    parent: 's1',
    name: 'execute_tool find',
    at: [20, 30],
    failed: true,
    attributes: tool('find', 'c1', {
      'gen_ai.tool.call.arguments': '{"id":12}',
      'gen_ai.tool.call.result': 'not there',
    }),
  },
  {
    id: 's7',
    parent: 's1',
    name: 'execute_tool stock',
    at: [21, 40],
    attributes: tool('stock', 'c2'),
  },
  {
    id: 's3',
    parent: 's2',
    name: 'chat gpt',
    at: [10, 19],
    attributes: chat(first, [asked], { 'gen_ai.response.id': 'r1' }),
  },
  { id: 's2', parent: 's1', name: 'call_llm', at: [9, 19], attributes: chat(first, [asked]) },
  { id: 's4', parent: 's5', name: 'tools/call find', at: [22, 29], attributes: tool('find', 'c1') },
];

const STEPS = [
  'thought Hm.',
  'tool_call find {"id":12}',
  'tool_call stock {}',
  'observation not there',
  'observation 7 left',
  'observation I mean 21!',
  'error_recovery It is sent.',
];

const halves = [otlp(SPANS.slice(0, 4)), otlp(SPANS.slice(4))];
const other = otlp(SPANS, 'cc07807133692d12e4268dc007ef9a19');

describeImporterContract('otel-genai', [
  { name: 'OTLP', text: JSON.stringify(otlp(SPANS), null, 2), runs: 1 },
  { name: 'Jaeger', text: JSON.stringify(jaeger(SPANS)), runs: 1 },
  {
    name: 'a trace over two lines, with another',
    text: [...halves, other].map((line) => `${JSON.stringify(line)}\n`).join(''),
    runs: 2,
  },
]);

describe('otel-genai', () => {
  it('reads each call once, in the order of time, with results from their spans or the next call', async () => {
    const run = await importOne(otlp(SPANS));
    expect(run.trace.task.objective).toBe('Order 12?');
    expect(sketch(run)).toEqual(STEPS);
    expect(run.trace.steps[3]?.['kp:source']).toEqual({ call_id: 'c1', error: 'flag' });
    expect(run.trace.steps[4]?.['kp:source']).toEqual({ call_id: 'c2' });
    expect(run.provenance).toMatchObject({
      source: { trace_id: 'bc07807133692d12e4268dc007ef9a19', conversation_id: 'ctx' },
      created_at: 'recorded',
    });
    expect(run.trace.metadata).toMatchObject({
      agent_id: 'shop_agent',
      created_at: '2026-02-23T08:29:03.010Z',
    });
  });

  it('reads the same from Jaeger, from Tempo, from lines and from field names in snake case', async () => {
    const expected = JSON.stringify((await importOne(otlp(SPANS))).trace);
    const { resourceSpans } = otlp(SPANS) as { resourceSpans: object[] };
    const snake = JSON.stringify(otlp(SPANS)).replaceAll(
      /"([a-z]+[A-Z]\w*)":/g,
      (_, key: string) => `"${key.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)}":`,
    );
    for (const same of [
      jaeger(SPANS),
      { batches: resourceSpans },
      { trace: { resourceSpans } },
      JSON.parse(snake),
    ]) {
      expect(JSON.stringify((await importOne(same)).trace)).toBe(expected);
    }
    const [item] = await importAll(halves.map((half) => JSON.stringify(half)).join('\n'), {
      assumeSuccess: false,
    });
    expect(JSON.stringify(item?.kind === 'trace' && item.trace)).toBe(expected);
  });

  it('reads the keys that came before the current ones', async () => {
    const spans: TestSpan[] = [
      {
        id: 'a',
        name: 'openai.chat',
        at: [0, 1],
        attributes: {
          'gen_ai.prompt.0.role': 'system',
          'gen_ai.prompt.0.content': 'Be brief.',
          'gen_ai.prompt.1.role': 'user',
          'gen_ai.prompt.1.content': 'Weather?',
          'gen_ai.completion.0.role': 'assistant',
          'gen_ai.completion.0.tool_calls.0.id': 'c',
          'gen_ai.completion.0.tool_calls.0.name': 'weather',
          'gen_ai.completion.0.tool_calls.0.arguments': '{"city":"Oslo"}',
        },
      },
      {
        id: 'b',
        name: 'weather.tool',
        at: [2, 3],
        attributes: {
          'traceloop.span.kind': 'tool',
          'traceloop.entity.name': 'weather',
          'traceloop.entity.output': 'rain',
        },
      },
    ];
    expect(sketch(await importOne(jaeger(spans)))).toEqual([
      'tool_call weather {"city":"Oslo"}',
      'observation rain',
    ]);
  });

  it('reads message events and the details event', async () => {
    const events = [
      { name: 'gen_ai.user.message', attributes: { content: 'Weather?' } },
      {
        name: 'gen_ai.choice',
        attributes: { message: JSON.stringify({ role: 'assistant', content: 'Rain.' }) },
      },
    ];
    const run = await importOne(
      otlp([{ id: 'a', name: 'chat', at: [0, 1], attributes: { 'gen_ai.system': 'x' }, events }]),
    );
    expect(run.trace.task.objective).toBe('Weather?');
    expect(sketch(run)).toEqual(['thought Rain.']);
    const details = [
      {
        name: 'gen_ai.client.inference.operation.details',
        attributes: {
          'gen_ai.input.messages': [text('user', 'Weather?')],
          'gen_ai.output.messages': [text('assistant', 'Rain.')],
        },
      },
    ];
    expect(
      sketch(await importOne(otlp([{ id: 'a', name: 'chat', at: [0, 1], events: details }]))),
    ).toEqual(['thought Rain.']);
  });

  it('reads a prompt and a completion that are each in one attribute or event', async () => {
    const prompt = JSON.stringify({ messages: [{ role: 'user', content: 'Weather?' }] });
    const events = [
      { name: 'gen_ai.content.prompt', attributes: { 'gen_ai.prompt': prompt } },
      { name: 'gen_ai.content.completion', attributes: { 'gen_ai.completion': 'Rain.' } },
    ];
    const attributes = { 'gen_ai.prompt': prompt, 'gen_ai.completion': 'Rain.' };
    for (const span of [{ events }, { attributes }]) {
      const run = await importOne(otlp([{ id: 'a', name: 'chat', at: [0, 1], ...span }]));
      expect(run.trace.task.objective).toBe('Weather?');
      expect(sketch(run)).toEqual(['thought Rain.']);
    }
  });

  it("reads the keys of Google's agent kit and of AI SDK", async () => {
    const google: TestSpan[] = [
      {
        id: 'a',
        name: 'call_llm',
        at: [0, 1],
        attributes: {
          'gcp.vertex.agent.llm_request': JSON.stringify({
            contents: [{ role: 'user', parts: [{ text: 'Go.' }] }],
          }),
          'gcp.vertex.agent.llm_response': JSON.stringify({
            content: {
              role: 'model',
              parts: [{ function_call: { id: 'f', name: 'go', args: { x: 1 } } }],
            },
          }),
        },
      },
      {
        id: 'b',
        name: 'execute_tool go',
        at: [2, 3],
        attributes: { 'gcp.vertex.agent.tool_response': '{"ok":true}' },
      },
    ];
    expect(sketch(await importOne(otlp(google)))).toEqual([
      'tool_call go {"x":1}',
      'observation {"ok":true}',
    ]);
    const vercel: TestSpan[] = [
      {
        id: 'a',
        name: 'ai.generateText.doGenerate',
        at: [0, 1],
        attributes: {
          'ai.prompt.messages': JSON.stringify([
            { role: 'user', content: [{ type: 'text', text: 'Go.' }] },
          ]),
          'ai.response.text': 'I go.',
          'ai.response.toolCalls': JSON.stringify([
            { type: 'tool-call', toolCallId: 'f', toolName: 'go', input: '{"x":1}' },
          ]),
        },
      },
      {
        id: 'b',
        name: 'ai.toolCall',
        at: [2, 3],
        attributes: {
          'ai.toolCall.name': 'go',
          'ai.toolCall.id': 'f',
          'ai.toolCall.result': '"gone"',
        },
      },
    ];
    expect(sketch(await importOne(otlp(vercel)))).toEqual([
      'thought I go.',
      'tool_call go {"x":1}',
      'observation "gone"',
    ]);
  });

  it('reads tools whose calls no model call shows, and says why they failed', async () => {
    const spans: TestSpan[] = [
      {
        id: 'a',
        name: 'execute_tool find',
        at: [0, 1],
        failed: true,
        attributes: {
          'gen_ai.operation.name': 'execute_tool',
          'gen_ai.tool.name': 'find',
          'gen_ai.tool.call.arguments': { id: 3 },
        },
        events: [{ name: 'exception', attributes: { 'exception.message': 'timed out' } }],
      },
    ];
    const run = await importOne(otlp(spans));
    expect(sketch(run)).toEqual(['tool_call find {"id":3}', 'observation timed out']);
    expect(run.trace.steps[1]?.['kp:source']).toEqual({ call_id: 'a', error: 'flag' });
    expect(run.provenance?.objective).toBe('unknown');
  });

  it('leaves out what was said before the trace began, and counts it', async () => {
    const history = [
      text('user', 'Begin.'),
      text('assistant', 'Hello.'),
      { role: 'assistant', parts: [toolCall('old', 'x', {})] },
      response('old', 'old result'),
      text('user', 'Go.'),
    ];
    const run = await importOne(
      otlp([
        {
          id: 'a',
          name: 'chat',
          at: [0, 1],
          attributes: chat(history, [text('assistant', 'Gone.')]),
        },
      ]),
    );
    expect(run.trace.task.objective).toBe('Begin.');
    expect(sketch(run)).toEqual(['observation Go.', 'thought Gone.']);
    expect(run.provenance?.omitted).toEqual({ earlier_message: 1, earlier_call: 1 });
  });

  it.each([
    [{ 'gen_ai.evaluation.score.label': 'pass' }, true],
    [{ 'gen_ai.evaluation.score.label': 'incorrect' }, false],
    [{ 'gen_ai.evaluation.score.value': 1 }, true],
    [{ 'gen_ai.evaluation.score.value': 0 }, false],
    [{ 'gen_ai.evaluation.score.label': 'blue' }, undefined],
  ])('takes success from the evaluation %j', async (attributes, success) => {
    const events = [{ name: 'gen_ai.evaluation.result', attributes }];
    const spans: TestSpan[] = [
      {
        id: 'a',
        name: 'chat',
        at: [0, 1],
        attributes: chat(first, [text('assistant', 'x')]),
        events,
      },
    ];
    const [item] = await importAll(JSON.stringify(otlp(spans)));
    expect(item?.kind === 'trace' ? item.trace.metadata.success : undefined).toBe(success);
  });

  it('places tools that run before the model’s span is closed, and pairs them by name', async () => {
    const call = { function_call: { name: 'go', args: { x: 1 } } };
    const spans: TestSpan[] = [
      { id: 'a', name: 'invoke_agent', at: [0, 90], attributes: {} },
      {
        id: 'b',
        parent: 'a',
        name: 'call_llm',
        at: [1, 40],
        attributes: {
          'gcp.vertex.agent.llm_request': JSON.stringify({
            contents: [{ role: 'user', parts: [{ text: 'Go.' }] }],
          }),
          'gcp.vertex.agent.llm_response': JSON.stringify({
            content: { role: 'model', parts: [{ text: 'I go.' }, call] },
          }),
        },
      },
      {
        id: 'c',
        parent: 'b',
        name: 'execute_tool go',
        at: [10, 30],
        attributes: tool('go', 'adk-1', {
          'gcp.vertex.agent.llm_request': '{}',
          'gcp.vertex.agent.tool_response': '{"error":"no"}',
          'error.type': 'TOOL_ERROR',
        }),
      },
      {
        id: 'd',
        parent: 'a',
        name: 'chat',
        at: [50, 60],
        attributes: chat(
          [{ role: 'assistant', parts: [toolCall('adk-1', 'go', { x: 1 })] }],
          [text('assistant', 'No way.')],
        ),
      },
    ];
    const run = await importOne(otlp(spans));
    expect(run.provenance?.omitted).toBeUndefined();
    expect(sketch(run)).toEqual([
      'thought I go.',
      'tool_call go {"x":1}',
      'observation {"error":"no"}',
      'error_recovery No way.',
    ]);
    expect(run.trace.steps[1]?.['kp:source']).toEqual({ call_id: 'adk-1' });
    expect(run.trace.steps[2]?.['kp:source']).toEqual({ call_id: 'adk-1', error: 'flag' });
  });

  it('reads events that were exported as logs, of a span or of the only model call of a trace', async () => {
    const spans: TestSpan[] = [
      { id: 'a', name: 'chat', at: [0, 1], attributes: { 'gen_ai.request.model': 'm' } },
    ];
    const message = (values: object[]) => ({ kvlistValue: { values } });
    const content = (value: string) => ({ key: 'content', value: { stringValue: value } });
    const records = [
      { eventName: 'gen_ai.user.message', body: message([content('Weather?')]) },
      {
        attributes: [{ key: 'event.name', value: { stringValue: 'gen_ai.choice' } }],
        body: message([{ key: 'message', value: message([content('Rain.')]) }]),
      },
    ];
    for (const place of [{ spanId: 'a' }, {}]) {
      const logRecords = records.map((record) => ({
        ...record,
        ...place,
        traceId: 'bc07807133692d12e4268dc007ef9a19',
      }));
      const resourceLogs = [{ scopeLogs: [{ logRecords }] }];
      const together = await importOne({ ...otlp(spans), resourceLogs });
      expect(together.trace.task.objective).toBe('Weather?');
      expect(sketch(together)).toEqual(['thought Rain.']);
      const apart = [{ resourceLogs }, otlp(spans)].map((line) => JSON.stringify(line)).join('\n');
      expect(await importAll(apart, { assumeSuccess: false })).toMatchObject([
        { trace: together.trace },
      ]);
    }
    expect(await importAll(JSON.stringify({ resourceLogs: [] }))).toMatchObject([
      { kind: 'error' },
    ]);
  });

  it('reads the blocks of Bedrock in events of spans, tools included', async () => {
    const event = (name: string, attributes: object) => ({
      name,
      attributes: attributes as Record<string, unknown>,
    });
    const spans: TestSpan[] = [
      {
        id: 'a',
        name: 'chat',
        at: [0, 1],
        events: [
          event('gen_ai.user.message', { content: '[{"text":"Weather?"}]' }),
          event('gen_ai.choice', {
            message:
              '[{"text":"I look."},{"toolUse":{"toolUseId":"t","name":"weather","input":{"city":"Oslo"}}}]',
          }),
        ],
      },
      {
        id: 'b',
        name: 'execute_tool weather',
        at: [2, 3],
        attributes: {
          'gen_ai.operation.name': 'execute_tool',
          'gen_ai.tool.name': 'weather',
          'gen_ai.tool.call.id': 't',
        },
        events: [
          event('gen_ai.tool.message', { role: 'tool', content: '{"city":"Oslo"}', id: 't' }),
          event('gen_ai.choice', { message: '[{"text":"rain"}]', id: 't' }),
        ],
      },
    ];
    const run = await importOne(otlp(spans));
    expect(run.trace.task.objective).toBe('Weather?');
    expect(sketch(run)).toEqual([
      'thought I look.',
      'tool_call weather {"city":"Oslo"}',
      'observation rain',
    ]);
  });

  it('reads tools that the provider ran, and leaves out summaries of the conversation', async () => {
    const inputs = [
      text('user', 'Look it up.'),
      { role: 'user', parts: [{ type: 'compaction', content: 'before' }] },
    ];
    const parts = [
      { type: 'server_tool_call', name: 'web_search', server_tool_call: { query: 'x' } },
      { type: 'server_tool_call_response', server_tool_call_response: { results: 3 } },
      { type: 'text', content: 'Found.' },
    ];
    const run = await importOne(
      otlp([
        {
          id: 'a',
          name: 'chat',
          at: [0, 1],
          attributes: chat(inputs, [{ role: 'assistant', parts }]),
        },
      ]),
    );
    expect(sketch(run)).toEqual([
      'tool_call web_search {"query":"x"}',
      'observation {"results":3}',
      'thought Found.',
    ]);
  });

  it('says that a trace has no call of a model or tool', async () => {
    const [item] = await importAll(JSON.stringify(otlp([{ id: 'a', name: 'GET /', at: [0, 1] }])));
    expect(item?.kind === 'error' && item.error.message).toBe(
      'line 1: expected a span of a tool, or of a model with contents, received a trace without one, with spans such as GET /',
    );
  });

  it('bears spans that are each other’s parents', async () => {
    const loop: TestSpan[] = [
      {
        id: 'a',
        parent: 'b',
        name: 'chat',
        at: [0, 1],
        attributes: chat(first, [text('assistant', 'x')]),
      },
      { id: 'b', parent: 'a', name: 'GET', at: [0, 1] },
    ];
    expect(sketch(await importOne(otlp(loop)))).toEqual(['thought x']);
  });
});

interface JaegerFile {
  data?: { spans: { operationName: string; tags: { key: string; value: unknown }[] }[] }[];
}

describeRecordings('otel', /^(?!.*eval_?set).*\.json$/, (path) => {
  it('has the one answer and no tool call that counting the file gives', async () => {
    const file = await Bun.file(path).text();
    const spans = ((JSON.parse(file) as JaegerFile).data ?? []).flatMap((trace) => trace.spans);
    const count = (pattern: RegExp) =>
      spans.filter(({ tags }) => tags.some(({ key }) => pattern.test(key))).length;
    expect(tallyOf(await importAll(file))).toEqual({
      runs: 1,
      successes: 0,
      thoughts: count(/^gen_ai\.completion\.0\.content$/),
      calls: spans.filter(({ operationName }) => operationName.startsWith('execute_tool')).length,
      results: 0,
      userTurns: 0,
      errors: 0,
      tools: [],
    });
  });
});
