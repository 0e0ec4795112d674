import { describe, expect, it } from 'bun:test';
import { chat, response, text, tool, toolCall } from '../../../test/genai-messages.ts';
import { importOne, sketch } from '../../../test/read.ts';
import { otlp, type TestSpan } from '../../../test/spans.ts';

describe('the tools of otel-genai', () => {
  it('reads tools without a call in a model span, and their errors', async () => {
    const spans: TestSpan[] = [
      {
        id: 'a',
        name: 'execute_tool find',
        at: [0, 1],
        failed: true,
        attributes: {
          'gen_ai.operation.name': 'execute_tool',
          'gen_ai.tool.name': 'find',
          'gen_ai.tool.call.arguments': { id: 3 },
        },
        events: [{ name: 'exception', attributes: { 'exception.message': 'timed out' } }],
      },
    ];
    const run = await importOne(otlp(spans));
    expect(sketch(run)).toEqual(['tool_call find {"id":3}', 'observation timed out']);
    expect(run.trace.steps[1]?.['kp:source']).toEqual({ call_id: 'a', error: 'flag' });
    expect(run.provenance?.objective).toBe('unknown');
  });

  it('omits and counts messages from before the trace', async () => {
    const history = [
      text('user', 'Begin.'),
      text('assistant', 'Hello.'),
      { role: 'assistant', parts: [toolCall('old', 'x', {})] },
      response('old', 'old result'),
      text('user', 'Go.'),
    ];
    const run = await importOne(
      otlp([
        {
          id: 'a',
          name: 'chat',
          at: [0, 1],
          attributes: chat(history, [text('assistant', 'Gone.')]),
        },
      ]),
    );
    expect(run.trace.task.objective).toBe('Begin.');
    expect(sketch(run)).toEqual(['observation Go.', 'thought Gone.']);
    expect(run.provenance?.omitted).toEqual({ earlier_message: 1, earlier_call: 1 });
  });

  it('places tools that run before the end of the model span, and matches them by name', async () => {
    const call = { function_call: { name: 'go', args: { x: 1 } } };
    const spans: TestSpan[] = [
      { id: 'a', name: 'invoke_agent', at: [0, 90], attributes: {} },
      {
        id: 'b',
        parent: 'a',
        name: 'call_llm',
        at: [1, 40],
        attributes: {
          'gcp.vertex.agent.llm_request': JSON.stringify({
            contents: [{ role: 'user', parts: [{ text: 'Go.' }] }],
          }),
          'gcp.vertex.agent.llm_response': JSON.stringify({
            content: { role: 'model', parts: [{ text: 'I go.' }, call] },
          }),
        },
      },
      {
        id: 'c',
        parent: 'b',
        name: 'execute_tool go',
        at: [10, 30],
        attributes: tool('go', 'adk-1', {
          'gcp.vertex.agent.llm_request': '{}',
          'gcp.vertex.agent.tool_response': '{"error":"no"}',
          'error.type': 'TOOL_ERROR',
        }),
      },
      {
        id: 'd',
        parent: 'a',
        name: 'chat',
        at: [50, 60],
        attributes: chat(
          [{ role: 'assistant', parts: [toolCall('adk-1', 'go', { x: 1 })] }],
          [text('assistant', 'No way.')],
        ),
      },
    ];
    const run = await importOne(otlp(spans));
    expect(run.provenance?.omitted).toBeUndefined();
    expect(sketch(run)).toEqual([
      'thought I go.',
      'tool_call go {"x":1}',
      'observation {"error":"no"}',
      'error_recovery No way.',
    ]);
    expect(run.trace.steps[1]?.['kp:source']).toEqual({ call_id: 'adk-1' });
    expect(run.trace.steps[2]?.['kp:source']).toEqual({ call_id: 'adk-1', error: 'flag' });
  });

  it('reads tools executed by the provider and omits conversation summaries', async () => {
    const inputs = [
      text('user', 'Look it up.'),
      { role: 'user', parts: [{ type: 'compaction', content: 'before' }] },
    ];
    const parts = [
      { type: 'server_tool_call', name: 'web_search', server_tool_call: { query: 'x' } },
      { type: 'server_tool_call_response', server_tool_call_response: { results: 3 } },
      { type: 'text', content: 'Found.' },
    ];
    const run = await importOne(
      otlp([
        {
          id: 'a',
          name: 'chat',
          at: [0, 1],
          attributes: chat(inputs, [{ role: 'assistant', parts }]),
        },
      ]),
    );
    expect(sketch(run)).toEqual([
      'tool_call web_search {"query":"x"}',
      'observation {"results":3}',
      'thought Found.',
    ]);
  });
});
