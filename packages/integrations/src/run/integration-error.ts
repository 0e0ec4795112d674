import { KnowledgePulseError } from '@kp/foundation';

/** Reason why an object, an option or a call was rejected. */
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

/** An integration rejected its input or reached a limit. */
export class IntegrationError extends KnowledgePulseError<IntegrationErrorCode> {
  constructor(code: IntegrationErrorCode, details: IntegrationErrorDetails) {
    super({ name: 'IntegrationError', code, ...details });
  }
}

/** Returns the error for data that was dropped because a memory limit was reached. */
export function overloaded(limit: string, remedy: string): IntegrationError {
  return new IntegrationError('OVERLOADED', {
    subject: 'live scoring',
    expected: `at most ${limit}`,
    received: 'one more',
    remedy,
  });
}
