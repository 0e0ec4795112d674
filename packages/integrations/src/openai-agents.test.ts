import { describe, expect, it } from 'bun:test';
import { createLexicalEmbedder } from '@kp/embedder';
import { parseTrace } from '@kp/schema';
import { createScorer } from '@kp/scoring';
import {
  Agent,
  type Model,
  run,
  setTraceProcessors,
  setTracingDisabled,
  tool,
  Usage,
} from '@openai/agents';
import * as z from 'zod';
import type { LiveScore } from './live-scorer.ts';
import { createTracingProcessor, fromOpenAiAgents } from './openai-agents.ts';

const QUESTION = 'What is the weather in Oslo?';

/** Answers with one call of a tool, then with a text. */
function createModel(): Model {
  const outputs: unknown[][] = [
    [
      { type: 'reasoning', id: 'r1', content: [{ type: 'input_text', text: 'I have to ask' }] },
      {
        type: 'function_call',
        id: 'f1',
        callId: 'c1',
        name: 'weather',
        status: 'completed',
        arguments: '{"city":"Oslo"}',
      },
    ],
    [
      {
        type: 'message',
        id: 'm1',
        role: 'assistant',
        status: 'completed',
        content: [{ type: 'output_text', text: 'It is 5 degrees' }],
      },
    ],
  ];
  return {
    async getResponse() {
      return { usage: new Usage(), output: (outputs.shift() ?? []) as never, responseId: 'r' };
    },
    getStreamedResponse() {
      throw new Error('streams are not part of this test');
    },
  };
}

function createAgent(): Agent {
  const weather = tool({
    name: 'weather',
    description: 'the weather of a city',
    parameters: z.object({ city: z.string() }),
    execute: async ({ city }) => `${city}: 5 degrees`,
  });
  return new Agent({
    name: 'guide',
    instructions: 'Help.',
    model: createModel(),
    tools: [weather],
  });
}

describe('fromOpenAiAgents', () => {
  it('reads the result of a run, call by call', async () => {
    const result = await run(createAgent(), QUESTION);
    const { trace } = await fromOpenAiAgents(result, { success: true });
    expect(parseTrace(trace)).toEqual(trace);
    expect(trace.task.objective).toBe(QUESTION);
    expect(trace.steps.map(({ type, tool: used }) => used?.name ?? type)).toEqual([
      'thought',
      'weather',
      'observation',
      'thought',
    ]);
    expect(trace.steps[2]?.content).toBe('Oslo: 5 degrees');
  });

  it('reads the state of a run as it is kept, to the same steps', async () => {
    const result = await run(createAgent(), QUESTION);
    const live = await fromOpenAiAgents(result);
    const kept = await fromOpenAiAgents(result.state.toString());
    expect(kept.trace.steps.map(({ content }) => content)).toEqual(
      live.trace.steps.map(({ content }) => content),
    );
  });

  it.each([[undefined], ['not JSON'], [{}], [{ history: [] }], [[{ role: 'robot' }]]])(
    'refuses %p',
    async (value) => {
      await expect(fromOpenAiAgents(value)).rejects.toMatchObject({ code: 'OBJECT_UNKNOWN' });
    },
  );
});

describe('createTracingProcessor', () => {
  it('scores each trace when it ends, and is flushed at shutdown', async () => {
    const scores: LiveScore[] = [];
    const processor = createTracingProcessor({
      scorer: createScorer({ embedder: createLexicalEmbedder() }),
      onScore: (score) => void scores.push(score),
      factsOf: () => ({ objective: QUESTION, success: true }),
    });
    setTracingDisabled(false);
    setTraceProcessors([processor]);
    try {
      await Promise.all([run(createAgent(), QUESTION), run(createAgent(), QUESTION)]);
      await processor.shutdown();
    } finally {
      setTraceProcessors([]);
      setTracingDisabled(true);
    }
    expect(scores).toHaveLength(2);
    expect(scores[0]?.trace.steps.map(({ type, tool: used }) => used?.name ?? type)).toEqual([
      'weather',
      'observation',
    ]);
    expect(scores[0]?.trace.task.objective).toBe(QUESTION);
  });

  it('reads what a model said from the spans of its responses', async () => {
    const scores: LiveScore[] = [];
    const processor = createTracingProcessor({
      scorer: createScorer({ embedder: null }),
      onScore: (score) => void scores.push(score),
    });
    const span = (startedAt: string, spanData: object, error: object | null = null) =>
      processor.onSpanEnd({ traceId: 't', spanId: startedAt, startedAt, spanData, error });
    await processor.onTraceStart({ traceId: 't' });
    await span(
      '2026-01-01T00:00:02Z',
      { type: 'function', name: 'look', input: '{"at":1}', output: '' },
      {
        message: 'not found',
      },
    );
    await span('2026-01-01T00:00:01Z', {
      type: 'response',
      _input: [{ role: 'user', content: [{ type: 'input_text', text: 'Find it' }] }],
      _response: {
        output: [
          { type: 'reasoning', summary: [{ type: 'summary_text', text: 'Where?' }] },
          { type: 'function_call', name: 'look', arguments: '{"at":1}' },
        ],
      },
    });
    await processor.onTraceEnd({ traceId: 't' });
    await processor.forceFlush();
    const [{ trace } = { trace: undefined }] = scores;
    expect(trace?.task.objective).toBe('Find it');
    expect(trace?.steps.map(({ type, content, input }) => [type, content ?? input])).toEqual([
      ['thought', 'Where?'],
      ['tool_call', { at: 1 }],
      ['observation', 'not found'],
    ]);
  });
});
