import { describeValue } from './describe.ts';
import { KnowledgePulseError } from './knowledge-pulse-error.ts';

/** An argument or option of the wrong type. */
export class InvalidTypeError extends KnowledgePulseError<'INVALID_TYPE'> {
  /** @param received - the value itself; the error keeps its description. */
  constructor(subject: string, expected: string, received: unknown) {
    const code = 'INVALID_TYPE';
    super({ name: 'InvalidTypeError', code, subject, expected, received: describeValue(received) });
  }
}

/** An argument or option of the right type that is outside the values allowed. */
export class InvalidValueError extends KnowledgePulseError<'INVALID_VALUE'> {
  /** @param received - the value itself; the error keeps its description. */
  constructor(subject: string, expected: string, received: unknown, remedy?: string) {
    super({
      name: 'InvalidValueError',
      code: 'INVALID_VALUE',
      subject,
      expected,
      received: describeValue(received),
      remedy,
    });
  }
}

/** A type that {@link assertType} recognises, as named in error messages. */
export type ArgumentType =
  | 'a function'
  | 'a number'
  | 'a string'
  | 'an array'
  | 'an async iterable'
  | 'an iterable'
  | 'an object';

const IS_TYPE: Readonly<Record<ArgumentType, (value: unknown) => boolean>> = {
  'a function': (value) => typeof value === 'function',
  'a number': (value) => typeof value === 'number',
  'a string': (value) => typeof value === 'string',
  'an array': Array.isArray,
  'an async iterable': (value) => Symbol.asyncIterator in Object(value),
  'an iterable': (value) => typeof value !== 'string' && Symbol.iterator in Object(value),
  'an object': (value) => typeof value === 'object' && value !== null,
};

/**
 * Rejects an argument of another type, because reading it would fail with an error that does not
 * name it.
 *
 * @param subject - name of the argument.
 * @param expected - the type it must have.
 * @param value - the argument.
 * @throws {@link InvalidTypeError} naming the argument.
 */
export function assertType(subject: string, expected: ArgumentType, value: unknown): void {
  if (!IS_TYPE[expected](value)) throw new InvalidTypeError(subject, expected, value);
}

/**
 * Rejects an argument that is not an object or has a field of another type.
 *
 * @param subject - name of the argument.
 * @param value - the argument.
 * @param fields - the fields that the function reads, with their types.
 * @throws {@link InvalidTypeError} naming the argument or its field.
 */
export function assertFields(
  subject: string,
  value: unknown,
  fields: Readonly<Record<string, ArgumentType>>,
): void {
  assertType(subject, 'an object', value);
  for (const [field, expected] of Object.entries(fields)) {
    assertType(`${subject}.${field}`, expected, Reflect.get(value as object, field));
  }
}
