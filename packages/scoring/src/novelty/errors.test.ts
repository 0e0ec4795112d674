import { expect, it } from 'bun:test';
import { MemoryError } from './errors.ts';

it('MemoryError reports the thrown value, even undefined, or the invalid result', () => {
  const cause = new Error('no disk');
  expect(new MemoryError('memory: add', { cause })).toMatchObject({
    message: 'memory: add failed: no disk',
    code: 'MEMORY_FAILED',
    expected: 'an answer',
    received: 'a failure',
    cause,
  });
  expect(new MemoryError('memory: add', { cause: undefined }).message).toBe(
    'memory: add failed: nothing',
  );
  const wrong = new MemoryError('memory: size', { expected: 'a number', received: 'text' });
  expect(wrong).toMatchObject({
    message: 'memory: size: expected a number, received text',
    code: 'MEMORY_ANSWER_INVALID',
  });
  expect(Object.hasOwn(wrong, 'cause')).toBe(false);
});
