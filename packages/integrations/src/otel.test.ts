import { afterEach, describe, expect, it } from 'bun:test';
import { createLexicalEmbedder } from '@kp/embedder';
import { createScorer } from '@kp/scoring';
import { context, type Span, trace } from '@opentelemetry/api';
import { logs } from '@opentelemetry/api-logs';
import {
  InMemoryLogRecordExporter,
  LoggerProvider,
  SimpleLogRecordProcessor,
} from '@opentelemetry/sdk-logs';
import { BasicTracerProvider } from '@opentelemetry/sdk-trace-base';
import { BasicTracerProvider as BasicTracerProvider1 } from 'otel-1';
import type { LiveScore } from './live/live-scorer.ts';
import { createScoringSpanProcessor } from './otel.ts';

const said = (role: string, text: string) => ({ role, parts: [{ type: 'text', content: text }] });
const ASKED = {
  role: 'assistant',
  parts: [
    { type: 'text', content: 'I have to ask' },
    { type: 'tool_call', id: 'c1', name: 'weather', arguments: { city: 'Oslo' } },
  ],
};
const TOLD = {
  role: 'tool',
  parts: [{ type: 'tool_call_response', id: 'c1', response: '5 degrees' }],
};

/** The spans of an agent that asks a model, a tool, and the model again. */
function runAgent(
  tracer: ReturnType<BasicTracerProvider['getTracer']>,
  question: string,
  parent?: Span,
): string {
  const above = parent === undefined ? context.active() : trace.setSpan(context.active(), parent);
  const agent = tracer.startSpan(
    'invoke_agent guide',
    { attributes: { 'gen_ai.operation.name': 'invoke_agent', 'gen_ai.agent.name': 'guide' } },
    above,
  );
  const inside = trace.setSpan(context.active(), agent);
  const chat = (inputs: readonly object[], output: object): void => {
    const span = tracer.startSpan(
      'chat fake',
      {
        attributes: {
          'gen_ai.operation.name': 'chat',
          'gen_ai.request.model': 'fake',
          'gen_ai.input.messages': JSON.stringify([said('user', question), ...inputs]),
          'gen_ai.output.messages': JSON.stringify([output]),
        },
      },
      inside,
    );
    span.end();
  };
  chat([], ASKED);
  const call = tracer.startSpan(
    'execute_tool weather',
    {
      attributes: {
        'gen_ai.operation.name': 'execute_tool',
        'gen_ai.tool.name': 'weather',
        'gen_ai.tool.call.id': 'c1',
        'gen_ai.tool.call.arguments': '{"city":"Oslo"}',
        'gen_ai.tool.call.result': '5 degrees',
      },
    },
    inside,
  );
  call.end();
  chat([ASKED, TOLD], said('assistant', 'It is 5 degrees'));
  agent.end();
  return agent.spanContext().spanId;
}

function watching(change: object = {}) {
  const scores: LiveScore[] = [];
  const errors: string[] = [];
  const processor = createScoringSpanProcessor({
    scorer: createScorer({ embedder: createLexicalEmbedder() }),
    onScore: (score) => void scores.push(score),
    onError: ({ message }) => void errors.push(message),
    ...change,
  });
  return { scores, errors, processor };
}

describe.each([
  ['1', BasicTracerProvider1],
  ['2', BasicTracerProvider],
] as const)('createScoringSpanProcessor with version %s of the SDK', (_, Provider) => {
  afterEach(() => logs.disable());

  it('scores two agents within one request as two runs', async () => {
    const { scores, errors, processor } = watching({ emit: false });
    const provider = new Provider({ spanProcessors: [processor as never] });
    const tracer = provider.getTracer('test') as never;
    const request = (tracer as ReturnType<BasicTracerProvider['getTracer']>).startSpan(
      'GET /chat',
      {
        attributes: { 'http.request.method': 'GET' },
      },
    );
    runAgent(tracer, 'What is the weather in Oslo?', request);
    runAgent(tracer, 'How long does rye bread bake?', request);
    request.end();
    await provider.shutdown();
    expect(errors).toEqual([]);
    expect(scores.map((score) => score.trace.task.objective)).toEqual([
      'What is the weather in Oslo?',
      'How long does rye bread bake?',
    ]);
    expect(scores[0]?.trace.steps.map(({ type, tool }) => tool?.name ?? type)).toEqual([
      'thought',
      'weather',
      'observation',
      'thought',
    ]);
    expect(scores[1]?.report.dimensions.novelty).toBeGreaterThan(0.3);
  });

  it('tells the logs of each score, in the context of the span, without content', async () => {
    const exporter = new InMemoryLogRecordExporter();
    logs.setGlobalLoggerProvider(
      new LoggerProvider({
        processors: [new SimpleLogRecordProcessor({ exporter })],
      }),
    );
    const { processor, errors } = watching({ labelOf: () => 'keep' });
    const provider = new Provider({ spanProcessors: [processor as never] });
    const spanId = runAgent(provider.getTracer('test') as never, 'What is the weather in Oslo?');
    await provider.forceFlush();
    expect(errors).toEqual([]);
    const [record, ...others] = exporter.getFinishedLogRecords();
    expect(others).toEqual([]);
    expect(record?.eventName).toBe('gen_ai.evaluation.result');
    expect(record?.spanContext?.spanId).toBe(spanId);
    expect(record?.attributes).toMatchObject({
      'gen_ai.evaluation.name': 'knowledgepulse',
      'gen_ai.evaluation.score.value': expect.any(Number),
      'gen_ai.evaluation.score.label': 'keep',
      'knowledgepulse.novelty.source': 'empty_memory',
      'knowledgepulse.dimension.novelty': 0.5,
    });
    expect(JSON.stringify(record?.attributes)).not.toContain('Oslo');
  });

  it('keeps nothing of what has nothing to do with agents', async () => {
    const { scores, processor } = watching({ emit: false });
    const provider = new Provider({ spanProcessors: [processor as never] });
    const tracer = provider.getTracer('test');
    for (let number = 0; number < 100; number++) {
      const request = tracer.startSpan(`GET /${number}`);
      tracer.startSpan('SELECT', {}, trace.setSpan(context.active(), request) as never).end();
      request.end();
    }
    await provider.shutdown();
    expect([scores.length, processor.pending]).toEqual([0, 0]);
  });
});

describe('createScoringSpanProcessor', () => {
  it('lives with spans that are none', async () => {
    const { scores, processor } = watching();
    for (const odd of [
      undefined,
      null,
      {},
      { spanContext: () => null },
      { spanContext: () => ({}) },
    ]) {
      processor.onStart(odd);
      processor.onEnd(odd);
    }
    await processor.shutdown();
    expect(scores).toEqual([]);
  });
});
