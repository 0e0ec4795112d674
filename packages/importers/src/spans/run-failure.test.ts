import { describe, expect, it } from 'bun:test';
import { importAll, sketch } from '../../test/read.ts';
import { otlp, type TestSpan } from '../../test/spans.ts';
import { readRunFailure } from './run-failure.ts';
import type { Span } from './span.ts';

type At = readonly [start: number, end: number];
type Options = Partial<Pick<TestSpan, 'parent' | 'failed' | 'attributes' | 'events'>>;

const span = (id: string, at: At, { attributes, ...options }: Options = {}): TestSpan => ({
  id,
  name: id,
  at,
  attributes,
  ...options,
});
const agent = (id: string, at: At, options?: Options): TestSpan =>
  span(id, at, { attributes: { 'gen_ai.operation.name': 'invoke_agent' }, ...options });
const chain = (id: string, at: At, options?: Options): TestSpan =>
  span(id, at, { attributes: { 'openinference.span.kind': 'CHAIN' }, ...options });
const text = (role: string, content: string): string =>
  JSON.stringify([{ role, parts: [{ type: 'text', content }] }]);
const chat = (id: string, at: At, options?: Options): TestSpan =>
  span(id, at, {
    ...options,
    attributes: {
      'gen_ai.operation.name': 'chat',
      'gen_ai.input.messages': text('user', 'Look.'),
      'gen_ai.output.messages': text('assistant', `I look, ${id}.`),
    },
  });
const request = (options?: Options): TestSpan =>
  span('request', [0, 99], { attributes: { 'http.request.method': 'POST' }, ...options });

/** The recorded success of the only run, or undefined. */
async function successOf(...spans: readonly TestSpan[]): Promise<boolean | undefined> {
  const [item, ...others] = await importAll(JSON.stringify(otlp(spans)));
  expect(others).toEqual([]);
  if (item?.kind === 'unlabelled') return undefined;
  if (item?.kind !== 'trace') throw new Error('expected a trace');
  return item.trace.metadata.success;
}

const FAILED = { failed: true };

describe('a run of spans', () => {
  it('failed if its outermost agent failed, whatever is around it', async () => {
    const inner = chat('m', [2, 3], { parent: 'a' });
    expect(await successOf(agent('a', [1, 9], FAILED), inner)).toBe(false);
    const within = { parent: 'request', ...FAILED };
    expect(await successOf(request(FAILED), agent('a', [1, 9], within), inner)).toBe(false);
    expect(await successOf(request(), agent('a', [1, 9], within), inner)).toBe(false);
  });

  it('did not fail with its request, a sub-agent or a tool', async () => {
    const outer = agent('a', [1, 9], { parent: 'request' });
    const inner = agent('b', [2, 5], { parent: 'a', ...FAILED });
    const call = chat('m', [2, 3], { parent: 'b' });
    expect(await successOf(request(FAILED), outer, inner, call)).toBeUndefined();
  });

  it('did not fail if a later agent continued from one that failed', async () => {
    const first = [agent('a', [1, 4], FAILED), chat('m', [2, 3], { parent: 'a' })];
    const heard = chat('n', [6, 7], { parent: 'b' });
    const history = JSON.stringify([
      ...JSON.parse(text('user', 'Look.')),
      ...JSON.parse(text('assistant', 'I look, m.')),
    ]);
    const next = {
      ...heard,
      attributes: { ...heard.attributes, 'gen_ai.input.messages': history },
    };
    expect(await successOf(...first, agent('b', [5, 8]), next)).toBeUndefined();
    expect(await successOf(...first, agent('b', [5, 8], FAILED), next)).toBe(false);
  });

  it.each([
    ['a chain', { 'openinference.span.kind': 'CHAIN' }],
    ['a workflow of OpenLLMetry', { 'traceloop.span.kind': 'workflow' }],
    ['a call of the AI SDK', { 'ai.operationId': 'ai.streamText' }],
  ])('without an agent failed with %s', async (_, attributes) => {
    const root = (options: Options): TestSpan =>
      span('r', [1, 9], { parent: 'request', attributes, ...options });
    const inner = chat('m', [2, 3], { parent: 'r' });
    expect(await successOf(request(), root(FAILED), inner)).toBe(false);
    expect(await successOf(request(FAILED), root({}), inner)).toBeUndefined();
  });

  it('without an agent or a chain failed with its last model call', async () => {
    const calls = (first: Options, second: Options): TestSpan[] => [
      chat('m', [1, 2], { parent: 'request', ...first }),
      chat('n', [3, 4], { parent: 'request', ...second }),
    ];
    expect(await successOf(request(), ...calls({}, FAILED))).toBe(false);
    expect(await successOf(request(), ...calls(FAILED, {}))).toBeUndefined();
  });

  it('did not fail with a chain around or next to an agent that succeeded', async () => {
    const done = [agent('a', [1, 5], { parent: 'c' }), chat('m', [2, 3], { parent: 'a' })];
    expect(await successOf(chain('c', [0, 9], FAILED), ...done)).toBeUndefined();
    const beside = chain('save', [6, 8], { parent: 'c', ...FAILED });
    expect(await successOf(chain('c', [0, 9]), ...done, beside)).toBeUndefined();
  });

  it('crashed if its agent failed before the first call of a model or tool', async () => {
    const items = await importAll(JSON.stringify(otlp([request(), agent('a', [1, 9], FAILED)])));
    expect(items).toMatchObject([{ kind: 'crashed', success: false, reason: 'ERROR' }]);
    // A call of a model whose contents were not recorded.
    const attributes = { 'gen_ai.operation.name': 'chat' };
    const call: TestSpan = { id: 'm', parent: 'a', name: 'chat', at: [2, 3], attributes };
    const unread = await importAll(JSON.stringify(otlp([agent('a', [1, 9], FAILED), call])));
    expect(unread).toMatchObject([{ kind: 'error' }]);
  });

  it('names the reason: the message of the status, otherwise the exception', () => {
    const attributes = { 'exception.message': 'Recursion limit reached' };
    const failed: Span = {
      traceId: 't',
      spanId: 'a',
      name: 'a',
      start: 0,
      end: 1,
      attributes: { 'gen_ai.operation.name': 'invoke_agent' },
      events: [{ name: 'exception', attributes }],
      failed: true,
    };
    const reasonOf = (one: Span): unknown => readRunFailure([one], [one], () => false)[0]?.value;
    expect(reasonOf({ ...failed, statusMessage: 'No.' })).toBe('No.');
    expect(reasonOf(failed)).toBe('Recursion limit reached');
    expect(reasonOf({ ...failed, events: [] })).toBe('ERROR');
  });
});

describe('a graph of LangGraph', () => {
  const node = (id: string, name: string, at: At, kind: string, more = {}): TestSpan => ({
    id,
    parent: 'graph',
    name,
    at,
    attributes: {
      'openinference.span.kind': kind,
      metadata: JSON.stringify({ langgraph_step: 1, langgraph_node: name }),
      ...more,
    },
  });
  const message = (path: string, role: string, content: string): object => ({
    [`${path}.message.role`]: role,
    [`${path}.message.content`]: content,
  });
  const graph = (options: Options): TestSpan[] => [
    chain('graph', [0, 9], options),
    node('n1', 'agent', [1, 2], 'AGENT'),
    {
      ...node('m1', 'agent', [1, 2], 'LLM', {
        ...message('llm.input_messages.0', 'user', 'Look.'),
        'llm.output_messages.0.message.role': 'assistant',
        'llm.output_messages.0.message.tool_calls.0.tool_call.id': 'c1',
        'llm.output_messages.0.message.tool_calls.0.tool_call.function.name': 'look',
      }),
      parent: 'n1',
    },
    node('t', 'tools', [3, 4], 'TOOL', { 'tool.name': 'look', 'output.value': 'seen' }),
    node('n2', 'agent', [5, 6], 'AGENT'),
    {
      ...node('m2', 'agent', [5, 6], 'LLM', {
        ...message('llm.input_messages.0', 'user', 'Look.'),
        ...message('llm.output_messages.0', 'assistant', 'I saw it.'),
      }),
      parent: 'n2',
    },
  ];

  it('is one agent, also if a node of it is named agent', async () => {
    const [item, ...others] = await importAll(JSON.stringify(otlp(graph({}))));
    expect(others).toEqual([]);
    if (item === undefined || !('trace' in item)) throw new Error('expected a trace');
    expect(sketch(item)).toEqual(['tool_call look', 'observation seen', 'thought I saw it.']);
  });

  it('failed with its own span', async () => {
    expect(await successOf(...graph(FAILED))).toBe(false);
    expect(await successOf(...graph({}))).toBeUndefined();
  });
});
