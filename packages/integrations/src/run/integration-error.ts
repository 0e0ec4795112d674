import { KnowledgePulseError } from '@kp/foundation';

/** Why an object, an option or a call cannot be used. */
export type IntegrationErrorCode =
  | 'OBJECT_UNKNOWN'
  | 'EVENT_UNKNOWN'
  | 'RUN_EMPTY'
  | 'RUN_UNKNOWN'
  | 'OPTION_INVALID'
  | 'OVERLOADED'
  | 'SCORING_FAILED'
  | 'SENDING_FAILED'
  | 'CALLBACK_FAILED'
  | 'FLUSH_TIMED_OUT';

/** The parts of an {@link IntegrationError}. */
export interface IntegrationErrorDetails {
  readonly subject: string;
  readonly expected: string;
  readonly received: string;
  /** What to change or call. */
  readonly remedy: string;
  readonly cause?: unknown;
}

/** An integration cannot do what it was asked. */
export class IntegrationError extends KnowledgePulseError<IntegrationErrorCode> {
  constructor(code: IntegrationErrorCode, details: IntegrationErrorDetails) {
    super({ name: 'IntegrationError', code, ...details });
  }
}

/** A limit on what is held in memory was reached, and something was dropped. */
export function overloaded(limit: string, remedy: string): IntegrationError {
  return new IntegrationError('OVERLOADED', {
    subject: 'live scoring',
    expected: `at most ${limit}`,
    received: 'one more',
    remedy,
  });
}
