import { describe, expect, it } from 'bun:test';
import { text } from '../../../test/genai-messages.ts';
import { importAll, importOne, sketch } from '../../../test/read.ts';
import { jaeger, otlp, type TestSpan } from '../../../test/spans.ts';

describe('dialects of otel-genai', () => {
  it('reads the earlier attribute names', async () => {
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

  it('reads a prompt and a completion in one attribute or event each', async () => {
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
      'observation gone',
    ]);
  });

  it('reads events exported as logs for a span or for the only model call of a trace', async () => {
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

  it('reads Bedrock blocks in span events, including tools', async () => {
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
});
