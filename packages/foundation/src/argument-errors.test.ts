import { expect, it } from 'bun:test';
import {
  assertFields,
  assertType,
  InvalidTypeError,
  InvalidValueError,
} from './argument-errors.ts';
import { KnowledgePulseError } from './knowledge-pulse-error.ts';

it.each([
  ['InvalidTypeError', 'INVALID_TYPE', new InvalidTypeError('key', 'a string', 5)],
  ['InvalidValueError', 'INVALID_VALUE', new InvalidValueError('key', 'a string', 5)],
])('%s describes the value received', (name, code, error) => {
  expect(error).toBeInstanceOf(KnowledgePulseError);
  expect(error).toMatchObject({ name, code, subject: 'key', expected: 'a string', received: '5' });
  expect(error.message).toBe('key: expected a string, received 5');
});

it.each([
  ['a function', () => 1, {}],
  ['a number', 5, '5'],
  ['a string', '', 5],
  ['an array', [], new Set()],
  ['an async iterable', new ReadableStream(), []],
  ['an iterable', new Set(), 'text'],
  ['an object', {}, null],
] as const)('assertType accepts %s and refuses another value', (type, right, wrong) => {
  expect(() => assertType('it', type, right)).not.toThrow();
  const fault = { code: 'INVALID_TYPE', subject: 'it', expected: type };
  expect(() => assertType('it', type, wrong)).toThrow(expect.objectContaining(fault));
});

it('assertFields names the field with another type, or the value if it is not an object', () => {
  const check = (value: unknown) => () => assertFields('trace', value, { steps: 'an array' });
  expect(check({ steps: [] })).not.toThrow();
  expect(check({})).toThrow('trace.steps: expected an array, received nothing');
  expect(check(undefined)).toThrow('trace: expected an object, received nothing');
});
