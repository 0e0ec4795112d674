import { describe, expect, it } from 'bun:test';
import { describeImporterContract } from '../../../test/contract.ts';
import { chat, response, text, tool, toolCall } from '../../../test/genai-messages.ts';
import { importAll, importOne, sketch } from '../../../test/read.ts';
import { describeRecordings } from '../../../test/recordings.ts';
import { jaeger, otlp, type TestSpan } from '../../../test/spans.ts';
import { tallyOf } from '../../../test/tally.ts';

const asked = {
  role: 'assistant',
  parts: [
    { type: 'reasoning', content: 'Hm.' },
    toolCall('c1', 'find', { id: 12 }),
    toolCall('c2', 'stock', {}),
  ],
};

const first = [text('system', 'Be brief.'), text('user', 'Order 12?')];
const second = [
  ...first,
  asked,
  response('c1', 'not there'),
  response('c2', '7 left'),
  text('user', 'I mean 21!'),
];

/** Spans out of order, as exporters write them: the last call before the first. */
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
  it('reads each call once in order of time, with results from tool spans or the next call', async () => {
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

  it('reads the same run from Jaeger, Tempo, JSON lines and snake-case field names', async () => {
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

  it.each([
    [{ 'gen_ai.evaluation.score.label': 'pass' }, true],
    [{ 'gen_ai.evaluation.score.label': 'incorrect' }, false],
    [{ 'gen_ai.evaluation.score.value': 1 }, true],
    [{ 'gen_ai.evaluation.score.value': 0 }, false],
    [{ 'gen_ai.evaluation.score.label': 'blue' }, undefined],
  ])('reads success from the evaluation %j', async (attributes, success) => {
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

  it('reports a trace without a model or tool call', async () => {
    const [item] = await importAll(JSON.stringify(otlp([{ id: 'a', name: 'GET /', at: [0, 1] }])));
    expect(item?.kind === 'error' && item.error.message).toBe(
      'line 1: expected a span of a tool, or of a model with contents, received a trace without one, with spans such as GET /',
    );
  });

  it('tolerates cycles of parent spans', async () => {
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
  it('has one answer and no tool call, as in an independent count', async () => {
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
