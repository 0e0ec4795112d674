import { describe, expect, it } from 'bun:test';
import { createLexicalEmbedder } from '@kp/embedder';
import { createScorer } from '@kp/scoring';
import { AIMessage, HumanMessage } from '@langchain/core/messages';
import { tool } from '@langchain/core/tools';
import { FakeListChatModel } from '@langchain/core/utils/testing';
import { MemorySaver, MessagesAnnotation, START, StateGraph } from '@langchain/langgraph';
import { ToolNode, toolsCondition } from '@langchain/langgraph/prebuilt';
import * as z from 'zod';
import { createLangChainHandler, fromLangChain } from './langchain.ts';
import type { LiveScore } from './live/live-scorer.ts';

const weather = tool(async ({ city }: { city: string }) => `${city}: 5 degrees`, {
  name: 'weather',
  description: 'the weather of a city',
  schema: z.object({ city: z.string() }),
});

/** A graph whose agent asks a tool for every question, then answers. */
function createGraph() {
  const model = new FakeListChatModel({ responses: ['It is 5 degrees'] });
  let calls = 0;
  return new StateGraph(MessagesAnnotation)
    .addNode('agent', async ({ messages }) => {
      if (messages.at(-1)?.getType() === 'human') {
        const id = `c${calls++}`;
        const content = 'I have to ask';
        return {
          messages: [
            new AIMessage({
              content,
              tool_calls: [{ id, name: 'weather', args: { city: 'Oslo' } }],
            }),
          ],
        };
      }
      return { messages: [await model.invoke(messages)] };
    })
    .addNode('tools', new ToolNode([weather]))
    .addEdge(START, 'agent')
    .addConditionalEdges('agent', toolsCondition)
    .addEdge('tools', 'agent')
    .compile({ checkpointer: new MemorySaver() });
}

const QUESTIONS = ['Weather in Oslo?', 'When does the last ferry to Nesodden leave?', 'Thank you'];

describe('fromLangChain', () => {
  it('reads the state that a graph gives back', async () => {
    const state = await createGraph().invoke(
      { messages: [new HumanMessage(QUESTIONS[0] ?? '')] },
      { configurable: { thread_id: '1' } },
    );
    const { trace } = await fromLangChain(state, { success: true });
    expect(trace.task.objective).toBe('Weather in Oslo?');
    expect(trace.steps.map(({ type, tool: used }) => used?.name ?? type)).toEqual([
      'thought',
      'weather',
      'observation',
      'thought',
    ]);
  });

  it.each([[undefined], [{}], [{ messages: [] }], ['text']])('refuses %p', async (value) => {
    await expect(fromLangChain(value)).rejects.toMatchObject({ code: 'OBJECT_UNKNOWN' });
  });
});

describe('createLangChainHandler', () => {
  it('scores each turn of a thread by itself', async () => {
    const scores: LiveScore[] = [];
    const handler = createLangChainHandler({
      scorer: createScorer({ embedder: createLexicalEmbedder() }),
      onScore: (score) => void scores.push(score),
    });
    const graph = createGraph();
    for (const question of QUESTIONS) {
      await graph.invoke(
        { messages: [new HumanMessage(question)] },
        { configurable: { thread_id: '1' }, callbacks: [handler as never] },
      );
    }
    await handler.flush();
    expect(handler.pending).toBe(0);
    expect(scores.map(({ trace }) => trace.task.objective)).toEqual(QUESTIONS);
    // The model that answers and the tool; what a node makes up itself no callback sees.
    for (const { trace } of scores) {
      expect(trace.steps.map(({ type, tool: used }) => used?.name ?? type)).toEqual([
        'weather',
        'observation',
        'thought',
      ]);
    }
  });

  it('scores a tool that is called by itself, and one that fails', async () => {
    const scores: LiveScore[] = [];
    const handler = createLangChainHandler({
      scorer: createScorer({ embedder: null }),
      onScore: (score) => void scores.push(score),
    });
    const broken = tool(
      async () => {
        throw new Error('no such city');
      },
      { name: 'broken', description: 'fails', schema: z.object({}) },
    );
    await broken.invoke({}, { callbacks: [handler as never] }).catch(() => undefined);
    await handler.flush();
    expect(scores[0]?.trace.steps.map(({ type, content }) => [type, content])).toEqual([
      ['tool_call', undefined],
      ['observation', 'Error: no such city'],
    ]);
  });

  it('counts a chain that throws as failed', async () => {
    const scores: LiveScore[] = [];
    const handler = createLangChainHandler({
      scorer: createScorer({ embedder: null }),
      onScore: (score) => void scores.push(score),
    });
    handler.handleChainStart({}, { input: 'Add the numbers' }, 'a');
    handler.handleToolStart({ name: 'add' }, '1 2', 'b', 'a');
    handler.handleToolEnd('3', 'b');
    handler.handleChainError(new Error('over budget'), 'a');
    await handler.flush();
    expect(scores[0]?.trace.metadata.success).toBe(false);
    expect(scores[0]?.trace.task.objective).toBe('Add the numbers');
  });
});
