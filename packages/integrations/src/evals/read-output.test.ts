import { afterAll, beforeAll, describe, expect, it } from 'bun:test';
import { createScorer } from '@kp/scoring';
import { HumanMessage } from '@langchain/core/messages';
import { run, setTracingDisabled, tool } from '@openai/agents';
import * as ai7 from 'ai-7';
import type { MockLanguageModelV4 } from 'ai-7/test';
import * as z from 'zod';
import { AI_VERSIONS, text } from '../../test/scripted-ai.ts';
import { answer, scriptedGraph } from '../../test/scripted-graph.ts';
import { called, scriptedAgent } from '../../test/scripted-openai.ts';
import { fromAiSdk } from '../ai-sdk.ts';
import { fromClaudeAgent } from '../claude-agent.ts';
import { createEvaluator, createLangSmithEvaluator } from '../evals.ts';
import { fromLangChain } from '../langchain.ts';
import { fromMastra } from '../mastra.ts';
import { fromOpenAiAgents } from '../openai-agents.ts';
import type { FinishedRun } from '../run/finished-run.ts';

const QUESTION = 'When does the ferry leave?';
const said = (role: string, content: string) => ({
  id: role,
  role,
  createdAt: '2026-01-15T10:00:00Z',
  content: { format: 2, parts: [{ type: 'text', text: content }] },
});
const messages = [said('user', QUESTION), said('assistant', 'At noon.')];
const session_id = '6d0c61a5-0000-4000-8000-000000000001';
const spoken = {
  type: 'assistant',
  session_id,
  uuid: 'a',
  message: { id: 'm', role: 'assistant', content: [{ type: 'text', text: 'At noon.' }] },
};

async function waitingRun() {
  const parameters = z.object({});
  const execute = async () => 'paid';
  const pay = tool({ name: 'pay', description: 'pays', parameters, needsApproval: true, execute });
  return run(scriptedAgent([[called('c1', 'pay', {})]], { tools: [pay] }), QUESTION);
}

async function limitedRun() {
  const turns = [[called('c1', 'tides', { city: 'Oslo' })]];
  return run(scriptedAgent(turns), QUESTION, { maxTurns: 1 }).catch((error: unknown) => error);
}

async function interruptedGraph() {
  const turns = [answer('', [['c1', 'tides', { city: 'Oslo' }]])];
  const graph = scriptedGraph(turns, undefined, { interruptBefore: ['tools'] });
  const thread = { configurable: { thread_id: 'waiting' } };
  return graph.invoke({ messages: [new HumanMessage(QUESTION)] }, thread);
}

async function cutAnswer() {
  const [, , version] = AI_VERSIONS;
  const model = version?.model([[text('At')]], 'length') as MockLanguageModelV4;
  return ai7.generateText({ model, prompt: QUESTION });
}

type Convert = (output: never) => Promise<FinishedRun>;
const RESULTS: readonly [string, () => unknown, Convert][] = [
  [
    'a result of Mastra stopped by a tripwire',
    () => ({ text: '', finishReason: 'tripwire', tripwire: { reason: 'blocked' }, messages }),
    fromMastra,
  ],
  [
    'a failed result of Mastra with steps',
    () => {
      const steps = [{ content: [text('At noon.')], finishReason: 'stop' }];
      return { finishReason: 'error', error: new Error('model down'), messages, steps };
    },
    fromMastra,
  ],
  ['a suspended result of Mastra', () => ({ finishReason: 'suspended', messages }), fromMastra],
  [
    'a failed result of Mastra with scoringData',
    () => {
      const [asked, answered] = messages;
      const scoringData = { input: { inputMessages: [asked] }, output: [answered] };
      return { finishReason: 'error', scoringData };
    },
    fromMastra,
  ],
  ['a run of OpenAI that waits for an approval', waitingRun, fromOpenAiAgents],
  ['an error of OpenAI that reached its limit', limitedRun, fromOpenAiAgents],
  ['the state of an interrupted graph', interruptedGraph, fromLangChain],
  ['a result of the AI SDK that was cut', cutAnswer, fromAiSdk],
  ['messages of Claude that end before a result', () => [spoken], fromClaudeAgent],
  [
    'messages of Claude with a deferred tool call',
    () => [spoken, { type: 'result', terminal_reason: 'tool_deferred', session_id, uuid: 'b' }],
    fromClaudeAgent,
  ],
];

describe('an evaluator', () => {
  beforeAll(() => setTracingDisabled(true));
  afterAll(() => setTracingDisabled(false));

  const scorer = createScorer({ embedder: null });
  const evaluator = createEvaluator({ scorer });

  it.each(RESULTS)('counts %s as its library does', async (_, make, convert) => {
    const output = await make();
    const { trace, provenance } = await convert(output as never);
    expect(trace.metadata.success).toBe(false);
    const { metadata } = await evaluator({ input: QUESTION, output });
    // A failed run has 0.3 of its outcome confidence, which is 0.5 if it is not recorded.
    expect(metadata).toMatchObject({
      success: provenance.success,
      dimensions: { outcomeConfidence: 0.15 },
    });
  });

  it.each<[string, unknown]>([
    ['a field of the task with the name of a result', { output: 'At noon.', messages }],
    ['a session log of Claude Code', [{ ...spoken, session_id: undefined, sessionId: session_id }]],
  ])('reads %s by its messages', async (_, output) => {
    const { metadata } = await evaluator({ input: QUESTION, output });
    expect(metadata).toMatchObject({ success: 'assumed', dimensions: { outcomeConfidence: 0.5 } });
  });

  it.each([
    ['OpenAI', waitingRun],
    ['the AI SDK', cutAnswer],
  ])('for LangSmith reads a result of %s that the target returns itself', async (_, make) => {
    const evaluate = createLangSmithEvaluator({ scorer });
    const outputs = await make();
    const { score, comment } = await evaluate({ outputs });
    expect(comment).toContain('outcome confidence 0.15');
    expect(await evaluate({ outputs: { output: outputs } })).toMatchObject({ score, comment });
  });
});
