import { describe, expect, it } from 'bun:test';
import { traceOf } from '../../test/traces.ts';
import { taskView } from '../index.ts';

describe('taskView', () => {
  it('contains the objective, user messages and tool inputs', () => {
    const tool = { name: 'x' };
    const view = taskView(
      traceOf('Cancel it', [
        { content: 'thinking' },
        { type: 'observation', content: 'order W12', 'kp:source': { role: 'user' } },
        { type: 'tool_call', tool, input: { id: 'W12', deep: [0, false, null, { a: ['b'] }] } },
        { type: 'tool_call', tool, content: 'as text' },
        { type: 'tool_call', tool, input: {} },
        { type: 'observation', content: 'cancelled', 'kp:source': { call_id: 'c1' } },
      ]),
    );
    expect(view).toEqual({
      objective: 'Cancel it',
      asked: 'Cancel it\norder W12',
      task: 'Cancel it\norder W12\nW12\n0\nfalse\nb\nas text',
    });
  });

  it.each([
    [{ type: 'thought', content: 'said', 'kp:source': { role: 'user' } }, 'Do it'],
    [{ type: 'observation', content: 'said', 'kp:source': null }, 'Do it'],
    [{ type: 'observation', content: 'said', 'kp:source': { role: 1 } }, 'Do it'],
    [{ type: 'observation', 'kp:source': { role: 'user' } }, 'Do it\n'],
  ])('of %j', (step, asked) => {
    expect(taskView(traceOf('Do it', [step])).asked).toBe(asked);
  });
});
