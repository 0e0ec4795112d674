import { describe, expect, it } from 'bun:test';
import { describeImporterContract } from '../../../test/contract.ts';
import { importAll, importOne, sketch } from '../../../test/read.ts';
import { jaeger, otlp, type TestSpan } from '../../../test/spans.ts';

const kind = (value: string, more: object = {}) => ({ 'openinference.span.kind': value, ...more });

const asked = {
  'llm.output_messages.0.message.role': 'assistant',
  'llm.output_messages.0.message.contents.0.message_content.type': 'text',
  'llm.output_messages.0.message.contents.0.message_content.text': 'I look.',
  'llm.output_messages.0.message.tool_calls.0.tool_call.id': 'c1',
  'llm.output_messages.0.message.tool_calls.0.tool_call.function.name': 'weather',
  'llm.output_messages.0.message.tool_calls.0.tool_call.function.arguments': '{"city":"Oslo"}',
};
const user = {
  'llm.input_messages.0.message.role': 'system',
  'llm.input_messages.0.message.content': 'Be brief.',
  'llm.input_messages.1.message.role': 'user',
  'llm.input_messages.1.message.content': 'Weather in Oslo?',
};

const SPANS: TestSpan[] = [
  {
    id: 'r',
    name: 'agent',
    at: [0, 50],
    attributes: kind('AGENT', { 'input.value': 'Weather in Oslo?', 'session.id': 's1' }),
  },
  {
    id: 'm2',
    parent: 'r',
    name: 'ChatCompletion',
    at: [30, 40],
    attributes: kind('LLM', {
      ...user,
      'llm.input_messages.2.message.role': 'tool',
      'llm.input_messages.2.message.tool_call_id': 'c1',
      'llm.input_messages.2.message.content': 'no such city',
      'llm.output_messages.0.message.role': 'assistant',
      'llm.output_messages.0.message.content': 'I cannot tell.',
    }),
  },
  {
    id: 'm1',
    parent: 'r',
    name: 'ChatCompletion',
    at: [1, 10],
    attributes: kind('LLM', { ...user, ...asked }),
  },
  {
    id: 't1',
    parent: 'r',
    name: 'weather',
    at: [11, 20],
    failed: true,
    attributes: kind('TOOL', {
      'tool.name': 'weather',
      'input.value': '{"city":"Oslo"}',
      'output.value': 'no such city',
    }),
  },
];

describeImporterContract('openinference', [
  { name: 'OTLP', text: JSON.stringify(otlp(SPANS), null, 2), runs: 1 },
  { name: 'Jaeger', text: JSON.stringify(jaeger(SPANS)), runs: 1 },
  {
    name: 'a span a line',
    text: SPANS.map((span) => `${JSON.stringify(otlp([span]))}\n`).join(''),
    runs: 1,
  },
]);

describe('openinference', () => {
  it('reads a call with one message', async () => {
    const attributes = kind('LLM', {
      'llm.output_messages.0.message.role': 'assistant',
      'llm.output_messages.0.message.content': 'Alone.',
    });
    const run = await importOne(otlp([{ id: 'm', name: 'chat', at: [0, 1], attributes }]));
    expect(sketch(run)).toEqual(['thought Alone.']);
  });

  it('reads messages from flattened keys and matches tools to calls by name', async () => {
    const run = await importOne(otlp(SPANS));
    expect(run.trace.task.objective).toBe('Weather in Oslo?');
    expect(sketch(run)).toEqual([
      'thought I look.',
      'tool_call weather {"city":"Oslo"}',
      'observation no such city',
      'error_recovery I cannot tell.',
    ]);
    expect(run.trace.steps[2]?.['kp:source']).toEqual({ call_id: 'c1', error: 'flag' });
    expect(run.provenance?.source).toMatchObject({ conversation_id: 's1' });
  });

  it('reads the objective from the root span and success from annotations', async () => {
    const attributes = kind('AGENT', {
      'input.value': 'Go.',
      'annotations.correctness.label': 'correct',
    });
    const spans: TestSpan[] = [
      { id: 'r', name: 'agent', at: [0, 9], attributes },
      {
        id: 't',
        parent: 'r',
        name: 'go',
        at: [1, 2],
        attributes: kind('TOOL', { 'input.value': 'north' }),
      },
    ];
    const run = await importOne(otlp(spans));
    expect(run.trace.task.objective).toBe('Go.');
    expect(sketch(run)).toEqual(['tool_call go north', 'observation ']);
    expect(run.trace.metadata.success).toBe(true);
    expect(run.provenance?.success).toBe('recorded');
  });

  it('reads a text completion', async () => {
    const attributes = kind('LLM', { 'input.value': 'Once upon', 'output.value': 'a time' });
    const run = await importOne(otlp([{ id: 'a', name: 'llm', at: [0, 1], attributes }]));
    expect(run.trace.task.objective).toBe('Once upon');
    expect(sketch(run)).toEqual(['thought a time']);
  });

  it('leaves spans of both conventions to the other importer', async () => {
    const both = {
      ...kind('LLM', { ...user, ...asked }),
      'gen_ai.output.messages': '[{"role":"assistant","parts":[{"type":"text","content":"x"}]}]',
    };
    const spans: TestSpan[] = [{ id: 'a', name: 'llm', at: [0, 1], attributes: both }];
    expect(await importAll(JSON.stringify(otlp(spans)))).toMatchObject([{ format: 'otel-genai' }]);
    expect(await importAll(JSON.stringify(otlp(spans)), { format: 'openinference' })).toMatchObject(
      [{ format: 'openinference' }],
    );
  });
});
