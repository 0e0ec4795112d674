import { afterEach, beforeEach, describe, expect, it } from 'bun:test';
import { trace } from '@opentelemetry/api';
import {
  BasicTracerProvider,
  InMemorySpanExporter,
  SimpleSpanProcessor,
} from '@opentelemetry/sdk-trace-base';
import { runRetry, startAgent } from '../../test/scripted-spans.ts';
import { watchScores } from '../../test/watch-scores.ts';
import { createScoringSpanProcessor, createSpanScores } from '../otel.ts';

const QUESTION = 'What is the weather in Oslo?';

function watching() {
  const exporter = new InMemorySpanExporter();
  const watched = watchScores({ sendTo: createSpanScores() });
  const processor = createScoringSpanProcessor({ emit: false, ...watched.options });
  const provider = new BasicTracerProvider({
    spanProcessors: [processor as never, new SimpleSpanProcessor(exporter)],
  });
  trace.setGlobalTracerProvider(provider);
  const sent = () =>
    exporter
      .getFinishedSpans()
      .filter(({ instrumentationScope }) => instrumentationScope.name === 'knowledgepulse');
  return { ...watched, processor, provider, tracer: provider.getTracer('test'), sent };
}

describe('createSpanScores', () => {
  beforeEach(() => trace.disable());
  afterEach(() => trace.disable());

  it('adds a score span below the agent span that does not count as a run', async () => {
    const { scores, errors, provider, tracer, sent } = watching();
    const agent = startAgent(tracer);
    runRetry(tracer, agent, QUESTION);
    agent.end();
    await provider.forceFlush();
    await provider.forceFlush();
    expect(errors).toEqual([]);
    expect(scores).toHaveLength(1);
    const [span, ...others] = sent();
    expect(others).toEqual([]);
    expect(span?.parentSpanContext?.spanId).toBe(agent.spanContext().spanId);
    expect(span?.spanContext().traceId).toBe(agent.spanContext().traceId);
    expect(span?.attributes).toMatchObject({
      'gen_ai.evaluation.name': 'knowledgepulse',
      'gen_ai.evaluation.score.value': scores[0]?.report.score,
      'knowledgepulse.score.id': expect.stringMatching(/^[0-9a-f]{32}$/),
    });
    expect(span?.events.map(({ name, attributes }) => [name, attributes])).toEqual([
      ['gen_ai.evaluation.result', span?.attributes],
    ]);
    expect(JSON.stringify(span?.attributes)).not.toContain('Oslo');
  });

  it('uses the same id for the score of a later outcome', async () => {
    const { scores, processor, provider, tracer, sent } = watching();
    const agent = startAgent(tracer);
    runRetry(tracer, agent, QUESTION);
    agent.end();
    await provider.forceFlush();
    processor.setOutcome(scores[0]?.runId ?? '', { success: false });
    await provider.forceFlush();
    const ids = sent().map(({ attributes }) => attributes['knowledgepulse.score.id']);
    expect(ids).toEqual([ids[0], ids[0]]);
    expect(sent()[1]?.attributes['knowledgepulse.success.source']).toBe('labelled');
  });
});
