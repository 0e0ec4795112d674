import { describe, expect, it } from 'bun:test';
import { chat, text, tool, toolCall } from '../../test/genai-messages.ts';
import { importOne, type OneTrace, sketch } from '../../test/read.ts';
import { otlp, type TestSpan } from '../../test/spans.ts';

const user = text('user', 'Go.');
const calling = (...calls: object[]) => ({ role: 'assistant', parts: calls });
const read = (spans: TestSpan[]): Promise<OneTrace> => importOne(otlp(spans));
const result = { 'gen_ai.tool.call.result': 'done' };
/** A tool execution whose span has no call id. */
const unnamed = (id: string, at: readonly [number, number], more: object = {}): TestSpan => {
  const { 'gen_ai.tool.call.id': _, ...attributes } = tool('find', '', more);
  return { id, name: 'execute_tool find', at, attributes };
};

describe('spans to steps', () => {
  it('matches two executions of a tool with the two calls in order', async () => {
    const run = await read([
      {
        id: 'm',
        name: 'chat',
        at: [0, 1],
        attributes: chat([user], [calling(toolCall('c1', 'find', {}), toolCall('c2', 'find', {}))]),
      },
      unnamed('a', [2, 5], { 'gen_ai.tool.call.result': 'first' }),
      unnamed('b', [6, 8], { 'gen_ai.tool.call.result': 'second' }),
    ]);
    expect(sketch(run)).toEqual([
      'tool_call find {}',
      'tool_call find {}',
      'observation first',
      'observation second',
    ]);
    const facts = run.trace.steps.map((step) => step['kp:source']);
    expect(facts.slice(2)).toEqual([{ call_id: 'c1' }, { call_id: 'c2' }]);
    expect(run.trace.steps.slice(0, 2).map(({ latency_ms }) => latency_ms)).toEqual([3, 2]);
  });

  it('does not match executions with calls of other tools', async () => {
    const run = await read([
      {
        id: 'm',
        name: 'chat',
        at: [0, 1],
        attributes: chat([user], [calling({ type: 'tool_call', name: 'grep', arguments: {} })]),
      },
      unnamed('a', [2, 5], result),
    ]);
    expect(sketch(run)).toEqual(['tool_call grep {}', 'tool_call find', 'observation done']);
  });

  it('reads a tool result without an id from its span, otherwise once', async () => {
    const answered = {
      role: 'tool',
      parts: [{ type: 'tool_call_response', response: 'done' }],
    };
    const asks = calling({ type: 'tool_call', name: 'find', arguments: {} });
    const models: TestSpan[] = [
      { id: 'm', name: 'chat', at: [0, 1], attributes: chat([user], [asks]) },
      {
        id: 'n',
        name: 'chat',
        at: [6, 7],
        attributes: chat([user, asks, answered], [text('assistant', 'Hm.')]),
      },
      {
        id: 'o',
        name: 'chat',
        at: [8, 9],
        attributes: chat(
          [user, asks, answered, text('assistant', 'Hm.')],
          [text('assistant', 'So.')],
        ),
      },
    ];
    const expected = ['tool_call find {}', 'observation done', 'thought Hm.', 'thought So.'];
    expect(sketch(await read(models))).toEqual(expected);
    expect(sketch(await read([...models, unnamed('a', [2, 5], result)]))).toEqual(expected);
  });

  it('starts all simultaneous spans before one of them ends', async () => {
    const instant = { ...tool('a', 'c1', result) };
    const run = await read([
      { id: 'm', name: 'chat', at: [0, 1], attributes: chat([user], [text('assistant', 'Hm.')]) },
      { id: 'a', name: 'execute_tool a', at: [5, 5], attributes: instant },
      { id: 'b', name: 'execute_tool b', at: [5, 9], attributes: tool('b', 'c2', result) },
    ]);
    expect(sketch(run).map((line) => line.replace(/ \{.*/, ''))).toEqual([
      ...['thought Hm.', 'tool_call a', 'tool_call b', 'observation done', 'observation done'],
    ]);
  });

  it('counts parts of an answer other than texts and calls', async () => {
    const answer = {
      role: 'assistant',
      parts: [{ type: 'audio' }, { type: 'text', content: 'A.' }],
    };
    const run = await read([
      { id: 'm', name: 'chat', at: [0, 1], attributes: chat([user], [answer]) },
    ]);
    expect(sketch(run)).toEqual(['thought A.']);
    expect(JSON.stringify(run.provenance)).toContain('"audio":1');
  });

  it('does not treat its own messages as earlier ones', async () => {
    const said = text('assistant', 'Once.');
    const run = await read([
      { id: 'm', name: 'chat', at: [0, 1], attributes: chat([user], [said]) },
      {
        id: 'n',
        name: 'chat',
        at: [2, 3],
        attributes: chat([user, said, text('user', 'More.')], [text('assistant', 'Twice.')]),
      },
    ]);
    expect(sketch(run)).toEqual(['thought Once.', 'observation More.', 'thought Twice.']);
    expect(JSON.stringify(run.provenance)).not.toContain('earlier_message');
  });
});
