import { describe, expect, it } from 'bun:test';
import { failureOf, MemoryError, messageOf, ProfileError } from './errors.ts';

describe('messageOf', () => {
  it.each([
    [new Error('no disk'), 'no disk'],
    ['no disk', '"no disk"'],
    [undefined, 'nothing'],
    [null, 'null'],
    [{ message: 'no disk' }, 'an object'],
  ])('of %p is %s', (cause, message) => expect(messageOf(cause)).toBe(message));
});

describe('failureOf', () => {
  it.each([
    [Object.assign(new Error('no disk'), { code: 'ENOSPC' }), 'ENOSPC'],
    [{ code: 'ENOSPC' }, 'ENOSPC'],
    [Object.assign(new Error('no disk'), { code: 28 }), 'FALLBACK'],
    [new Error('no disk'), 'FALLBACK'],
    ['ENOSPC', 'FALLBACK'],
    [null, 'FALLBACK'],
    [undefined, 'FALLBACK'],
  ])('of %p has the code %s', (cause, code) => {
    expect(failureOf(cause, 'FALLBACK')).toEqual({ code, message: messageOf(cause) });
  });
});

describe('MemoryError', () => {
  it('is of what was thrown, be it nothing, or of what was answered', () => {
    const cause = new Error('no disk');
    expect(new MemoryError('memory', 'add', { cause })).toMatchObject({
      message: 'memory: add failed: no disk',
      code: 'MEMORY_FAILED',
      expected: 'an answer',
      received: 'a failure',
      cause,
    });
    expect(new MemoryError('memory', 'add', { cause: undefined }).message).toBe(
      'memory: add failed: nothing',
    );
    const wrong = new MemoryError('memory', 'size', { expected: 'a number', received: 'text' });
    expect(wrong).toMatchObject({
      message: 'memory: size: expected a number, received text',
      code: 'MEMORY_ANSWER_INVALID',
    });
    expect(Object.hasOwn(wrong, 'cause')).toBe(false);
  });
});

describe('ProfileError', () => {
  it('names the profile', () => {
    expect(new ProfileError('legal', 'a', 'b')).toMatchObject({
      profile: 'legal',
      message: 'profile "legal": expected a, received b',
    });
  });
});
