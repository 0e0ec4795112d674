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
  override readonly name = 'IntegrationError';
  readonly code: IntegrationErrorCode;
  readonly expected: string;
  readonly received: string;

  constructor(code: IntegrationErrorCode, parts: IntegrationErrorParts) {
    const { subject, expected, received, remedy, cause } = parts;
    super(`${subject}: expected ${expected}, received ${received}. ${remedy}`, { cause });
    this.code = code;
    this.expected = expected;
    this.received = received;
  }
}

/** A value in a few words, for errors: its type and the fields that tell what it is. */
export function describeObject(value: unknown): string {
  if (value === null) return 'null';
  if (Array.isArray(value)) return `an array of ${value.length}`;
  if (typeof value !== 'object') return typeof value;
  let keys: string[];
  try {
    keys = Object.keys(value);
  } catch {
    // A proxy may refuse to say what it has.
    return 'an object that does not say its fields';
  }
  const shown = keys.slice(0, 6).join(', ');
  return keys.length === 0 ? 'an object without fields' : `an object with ${shown}`;
}
