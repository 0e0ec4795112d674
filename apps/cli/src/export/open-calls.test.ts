import { describe, expect, it } from 'bun:test';
import { OpenCalls } from './open-calls.ts';

/** Adds calls named by letters; each group is one message, and a capital states its own result. */
function callsOf(...messages: string[]): OpenCalls {
  const calls = new OpenCalls();
  let step = 0;
  messages.forEach((names, message) => {
    for (const name of names) {
      const summary = name === name.toUpperCase() ? 'stated' : undefined;
      calls.add({ name, recorded: undefined, summary, message }, step++);
    }
  });
  return calls;
}

function namesOfNext(calls: OpenCalls, count: number, isAfterCall = true): string {
  calls.expectResults(count, isAfterCall);
  return Array.from({ length: count }, () => calls.nextAnswer()?.name ?? '-').join('');
}

describe('results without an id', () => {
  it.each([
    { messages: ['a'], count: 1, answered: 'a' },
    { messages: ['ab'], count: 2, answered: 'ab' },
    { messages: ['ab'], count: 1, answered: 'a' },
    { messages: ['a', 'b'], count: 1, answered: 'b' },
    { messages: ['a', 'b'], count: 2, answered: 'ab' },
    { messages: ['a', 'bc'], count: 3, answered: 'abc' },
    { messages: ['a', 'bc'], count: 2, answered: 'bc' },
    { messages: ['a'], count: 2, answered: 'a-' },
    { messages: ['A', 'b'], count: 1, answered: 'b' },
    { messages: ['A'], count: 1, answered: 'A' },
    { messages: ['a', 'B'], count: 1, answered: 'B' },
    { messages: ['aB'], count: 1, answered: 'a' },
  ])('$count after $messages answer $answered', ({ messages, count, answered }) => {
    expect(namesOfNext(callsOf(...messages), count)).toBe(answered);
  });

  it('never answer a call of a message before an answered one', () => {
    const calls = callsOf('a', 'b');
    expect(namesOfNext(calls, 1)).toBe('b');
    expect(namesOfNext(calls, 1, false)).toBe('-');
    expect(calls.unanswered.map(({ name }) => name)).toEqual(['a']);
  });

  it('answer the other calls of a message later', () => {
    const calls = callsOf('ab');
    expect(namesOfNext(calls, 1)).toBe('a');
    expect(namesOfNext(calls, 1, false)).toBe('b');
  });

  it('do not replace what a call states unless they follow it', () => {
    expect(namesOfNext(callsOf('A'), 1, false)).toBe('-');
  });
});

describe('results with an id', () => {
  const addAll = (...recorded: string[]): OpenCalls => {
    const calls = new OpenCalls();
    for (const [message, id] of recorded.entries()) {
      calls.add({ name: `call ${message}`, recorded: id, summary: undefined, message }, message);
    }
    return calls;
  };

  it('answer the latest call with that id, which may repeat', () => {
    const calls = addAll('x', 'x');
    expect(calls.answerTo('x')?.name).toBe('call 1');
    expect(calls.answerTo('x')?.name).toBe('call 0');
    expect(calls.answerTo('x')).toBeUndefined();
  });

  it('get a unique id in the conversation', () => {
    const calls = addAll('call_1', 'call_1', 'call_1_1', 'x');
    const ids = calls.unanswered.map(({ id }) => id);
    expect(new Set(ids).size).toBe(4);
    expect(ids[0]).toBe('call_1');
    expect(ids[3]).toBe('x');
  });
});
