import { expect, it } from 'bun:test';
import { InvalidTypeError, InvalidValueError } from './argument-errors.ts';
import { KnowledgePulseError } from './knowledge-pulse-error.ts';

it.each([
  ['InvalidTypeError', 'INVALID_TYPE', new InvalidTypeError('key', 'a string', 5)],
  ['InvalidValueError', 'INVALID_VALUE', new InvalidValueError('key', 'a string', 5)],
])('%s describes the value received', (name, code, error) => {
  expect(error).toBeInstanceOf(KnowledgePulseError);
  expect(error).toMatchObject({ name, code, subject: 'key', expected: 'a string', received: '5' });
  expect(error.message).toBe('key: expected a string, received 5');
});
