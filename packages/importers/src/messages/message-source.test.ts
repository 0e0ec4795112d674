import { describe, expect, it } from 'bun:test';
import { asMessages, isMessage } from './message-source.ts';

describe('asMessages', () => {
  it('is the messages of an array of at least one, and of nothing else', () => {
    const message = { role: 'user', content: 'Go.' };
    expect(asMessages([message])).toEqual([message]);
    expect(asMessages([])).toBeUndefined();
    expect(asMessages([message, { role: 'user' }])).toBeUndefined();
    expect(asMessages({ 0: message, length: 1 })).toBeUndefined();
    expect(asMessages(undefined)).toBeUndefined();
  });
});

describe('isMessage', () => {
  it.each([
    [{ role: 'user', content: null }, true],
    [{ role: 'user', parts: [] }, true],
    [{ role: 1, content: 'Go.' }, false],
    [{ content: 'Go.' }, false],
    [{ role: 'user', content: 'Go.', messages: [] }, false],
    [{ role: 'user', content: 'Go.', messages: 3 }, true],
    [[{ role: 'user', content: 'Go.' }], false],
    [null, false],
  ])('of %j is %p', (value, expected) => {
    expect(isMessage(value)).toBe(expected);
  });
});
