/** Why an object, a library or a call cannot be used. */
export type IntegrationErrorCode =
  | 'OBJECT_UNKNOWN'
  | 'RUN_EMPTY'
  | 'PEER_MISSING'
  | 'PEER_UNUSABLE'
  | 'OPTION_INVALID'
  | 'OVERLOADED'
  | 'SCORING_FAILED'
  | 'CALLBACK_FAILED'
  | 'FLUSH_TIMED_OUT';

export interface IntegrationErrorParts {
  readonly subject: string;
  readonly expected: string;
  readonly received: string;
  /** What to install or call. */
  readonly remedy: string;
  readonly cause?: unknown;
}

/** An integration that cannot do what it was asked; the message says the way out. */
export class IntegrationError extends Error {
  /** The name of the class. */
  override readonly name = 'IntegrationError';
  /** To match by, across packages and copies of them. */
  readonly code: IntegrationErrorCode;
  /** What can be used. */
  readonly expected: string;
  /** What came instead. */
  readonly received: string;

  constructor(code: IntegrationErrorCode, parts: IntegrationErrorParts) {
    const { subject, expected, received, remedy, cause } = parts;
    super(`${subject}: expected ${expected}, received ${received}. ${remedy}`, { cause });
    this.code = code;
    this.expected = expected;
    this.received = received;
  }
}

/** Something was dropped for want of room. */
export function overloaded(most: string, remedy: string): IntegrationError {
  return new IntegrationError('OVERLOADED', {
    subject: 'live scoring',
    expected: `at most ${most}`,
    received: 'one more, so that one was dropped',
    remedy,
  });
}
