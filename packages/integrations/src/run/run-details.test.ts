import { afterEach, beforeEach, describe, expect, it } from 'bun:test';
import { readRunDetails } from '@kp/schema';
import { AIMessage, HumanMessage } from '@langchain/core/messages';
import { run, setTraceProcessors, setTracingDisabled, withTrace } from '@openai/agents';
import type { Tracer } from '@opentelemetry/api';
import { BasicTracerProvider } from '@opentelemetry/sdk-trace-base';
import { AI_VERSIONS, RETRY, weatherTools } from '../../test/scripted-ai.ts';
import { scriptedGraph } from '../../test/scripted-graph.ts';
import { RETRY as AGENT_TURNS, scriptedAgent } from '../../test/scripted-openai.ts';
import { callModel, say, startAgent } from '../../test/scripted-spans.ts';
import { watchScores } from '../../test/watch-scores.ts';
import { createAiSdkScorer, fromAiSdk } from '../ai-sdk.ts';
import { createClaudeAgentScorer } from '../claude-agent.ts';
import { createLangChainHandler, fromLangChain } from '../langchain.ts';
import type { LiveScore } from '../live/live-scorer.ts';
import { createMastraLiveScorer, fromMastra } from '../mastra.ts';
import { createTracingProcessor, fromOpenAiAgents } from '../openai-agents.ts';
import { createScoringSpanProcessor } from '../otel.ts';
import { finishRun } from './finished-run.ts';

const QUESTION = 'What is the weather in Oslo?';
const details = (score: Pick<LiveScore, 'trace'> | undefined) =>
  readRunDetails(score?.trace.metadata ?? {});
const ANY_TIME = expect.any(Number) as never;

describe.each(AI_VERSIONS)('usage of a run of ai $version', ({ version, sdk, model }) => {
  const options = () => ({ model: model(RETRY), tools: weatherTools(sdk), prompt: QUESTION });
  const stopWhen = sdk.stepCountIs(5);

  it.each([['generateText'], ['streamText']] as const)(
    'is summed over the steps of %s',
    async (call) => {
      const { options: given, scores } = watchScores();
      const live = createAiSdkScorer(given);
      const settings = live.forRun({
        details: { cost_usd: 0.5 },
        // ai 7 includes optional data in its events only on request.
        telemetry: { includeRuntimeContext: { sessionId: true, userId: true } },
        experimental_telemetry: { metadata: { sessionId: 's1', userId: 'u1' } },
      });
      const more = version === '7' ? { runtimeContext: { sessionId: 's1', userId: 'u1' } } : {};
      const made: unknown = await sdk[call]({ ...options(), ...settings, ...more, stopWhen });
      if (call === 'streamText') await (made as { consumeStream(): Promise<void> }).consumeStream();
      await live.flush();
      expect(scores.map(details)).toEqual([
        {
          duration_ms: ANY_TIME,
          input_tokens: 3,
          output_tokens: 3,
          cost_usd: 0.5,
          session: 's1',
          user: 'u1',
        },
      ]);
    },
  );

  it('is read from a result', async () => {
    const result = await sdk.generateText({ ...options(), stopWhen });
    expect(details(await fromAiSdk(result))).toEqual({ input_tokens: 3, output_tokens: 3 });
  });
});

describe('usage of a run of OpenAI Agents', () => {
  beforeEach(() => setTracingDisabled(false));
  afterEach(() => {
    setTraceProcessors([]);
    setTracingDisabled(true);
  });

  it('is summed over its turns, with the group of its trace', async () => {
    const { options, scores } = watchScores();
    const processor = createTracingProcessor(options);
    setTraceProcessors([processor]);
    const group = { groupId: 'chat 1', metadata: { user_id: 'u1' } };
    await withTrace('workflow', () => run(scriptedAgent(AGENT_TURNS), QUESTION), group);
    await processor.forceFlush();
    expect(scores.map(details)).toEqual([
      { duration_ms: ANY_TIME, input_tokens: 9, output_tokens: 12, session: 'chat 1', user: 'u1' },
    ]);
  });

  it('is read from a result, its state and an error', async () => {
    const result = await run(scriptedAgent(AGENT_TURNS), QUESTION);
    const tokens = { input_tokens: 9, output_tokens: 12 };
    expect(details(await fromOpenAiAgents(result))).toEqual(tokens);
    expect(details(await fromOpenAiAgents(result.state.toString()))).toEqual(tokens);
    const error: unknown = await run(scriptedAgent(AGENT_TURNS), QUESTION, { maxTurns: 1 }).catch(
      (thrown: unknown) => thrown,
    );
    expect(details(await fromOpenAiAgents(error))).toEqual({ input_tokens: 3, output_tokens: 4 });
  });
});

describe('usage of a run of LangGraph', () => {
  const message = () =>
    new AIMessage({
      content: 'It is 5 degrees',
      usage_metadata: { input_tokens: 20, output_tokens: 4, total_tokens: 24 },
      response_metadata: { model_name: 'scripted-1' },
    });

  it('is summed over its messages, with the thread and the model', async () => {
    const { options, scores } = watchScores();
    const handler = createLangChainHandler(options);
    const state = await scriptedGraph([message()]).invoke(
      { messages: [new HumanMessage(QUESTION)] },
      {
        callbacks: [handler as never],
        configurable: { thread_id: 't1' },
        metadata: { user_id: 'u1' },
      },
    );
    await handler.flush();
    expect(scores.map(details)).toEqual([
      { duration_ms: ANY_TIME, input_tokens: 20, output_tokens: 4, session: 't1', user: 'u1' },
    ]);
    expect(scores[0]?.provenance.model).toBe('scripted-1');
    expect(details(await fromLangChain(state))).toEqual({ input_tokens: 20, output_tokens: 4 });
  });
});

describe('usage of a run of the Claude Agent SDK', () => {
  const session_id = 's1';
  const said = {
    type: 'assistant',
    session_id,
    message: { role: 'assistant', content: [{ type: 'text', text: 'Done' }] },
  };
  const end = { type: 'result', subtype: 'success', is_error: false, session_id };

  async function take(result: object): Promise<unknown> {
    const { options, scores } = watchScores();
    const live = createClaudeAgentScorer(options);
    async function* messages(): AsyncGenerator<object> {
      yield said;
      yield { ...end, ...result };
    }
    for await (const _ of live.scored(messages(), { prompt: 'Do it' }));
    await live.flush();
    return details(scores[0]);
  }

  it('comes from the result and includes cache reads', async () => {
    const usage = {
      input_tokens: 4,
      cache_read_input_tokens: 90,
      cache_creation_input_tokens: 6,
      output_tokens: 30,
    };
    expect(await take({ duration_ms: 1200, total_cost_usd: 0.02, usage })).toEqual({
      duration_ms: 1200,
      input_tokens: 100,
      output_tokens: 30,
      cost_usd: 0.02,
      session: 's1',
    });
  });

  it('includes all models and those of subagents', async () => {
    const modelUsage = {
      large: { inputTokens: 10, outputTokens: 2, cacheReadInputTokens: 5, costUSD: 0.1 },
      small: { inputTokens: 1, outputTokens: 1, costUSD: 0.01 },
    };
    expect(await take({ usage: { input_tokens: 1 }, modelUsage })).toMatchObject({
      input_tokens: 16,
      output_tokens: 3,
    });
  });
});

describe('usage of a run of Mastra', () => {
  const usage = { inputTokens: 7, outputTokens: 2 };
  const message = (role: string, text: string) => ({
    id: role,
    role,
    createdAt: '2026-01-15T10:00:00Z',
    threadId: 't1',
    resourceId: 'u1',
    content: { format: 2, parts: [{ type: 'text', text }] },
  });
  const messages = [message('user', QUESTION), message('assistant', 'It is 5 degrees')];

  it('is summed over its steps, with the thread of its messages', async () => {
    const { options, scores } = watchScores();
    const live = createMastraLiveScorer(options);
    const call = live.forRun();
    await call.onStepFinish({ runId: 'r1', content: [], usage } as never);
    await call.onFinish({ runId: 'r1', finishReason: 'stop', messages } as never);
    await live.flush();
    const known = { input_tokens: 7, output_tokens: 2, session: 't1', user: 'u1' };
    expect(scores.map(details)).toEqual([{ duration_ms: ANY_TIME, ...known }]);
    const result = { text: '', finishReason: 'stop', messages, totalUsage: usage };
    expect(details(await fromMastra(result))).toEqual(known);
  });
});

describe('usage of a run in spans', () => {
  it('is summed over its model spans', async () => {
    const { options, scores } = watchScores();
    const processor = createScoringSpanProcessor({ ...options, emit: false });
    const provider = new BasicTracerProvider({ spanProcessors: [processor as never] });
    const tracer = provider.getTracer('test') as Tracer;
    const agent = startAgent(tracer);
    agent.setAttributes({ 'gen_ai.usage.input_tokens': 11, 'session.id': 's1', 'user.id': 'u1' });
    callModel(tracer, agent, QUESTION, [say('I look')], {
      'gen_ai.usage.input_tokens': 5,
      'gen_ai.usage.output_tokens': 1,
    });
    callModel(tracer, agent, QUESTION, [say('It is 5 degrees')], {
      'gen_ai.usage.input_tokens': 6,
      'gen_ai.usage.output_tokens': 2,
    });
    agent.end();
    await provider.shutdown();
    expect(scores.map(details)).toEqual([
      {
        ...{ duration_ms: ANY_TIME, ended_at: expect.any(String) },
        ...{ input_tokens: 11, output_tokens: 3, session: 's1', user: 'u1' },
      },
    ]);
  });
});

describe('finishRun', () => {
  it('prefers the facts of the caller', async () => {
    const steps = [{ kind: 'thought', content: 'Done' }] as const;
    const run = { source: {}, objective: 'do', steps, record: null, details: { session: 'a' } };
    const facts = { details: { session: 'b', user: 'u', cost_usd: undefined } };
    const { trace } = await finishRun({ format: 'test', run }, facts as never);
    expect(readRunDetails(trace.metadata)).toEqual({ session: 'b', user: 'u' });
  });
});
