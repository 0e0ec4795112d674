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
  constructor(subject: string, expected: string, received: unknown) {
    const code = 'INVALID_VALUE';
    super({
      name: 'InvalidValueError',
      code,
      subject,
      expected,
      received: describeValue(received),
    });
  }
}
