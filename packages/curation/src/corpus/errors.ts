import { describeValue, KnowledgePulseError } from '@kp/foundation';

/** An argument of this package is invalid. */
export class CurationInputError extends KnowledgePulseError<'CURATION_INPUT_INVALID', string> {
  constructor(subject: string, expected: string, received: unknown, cause?: unknown) {
    super({
      name: 'CurationInputError',
      code: 'CURATION_INPUT_INVALID',
      subject,
      expected,
      received: describeValue(received),
      cause,
    });
  }
}

/** There are too few tasks for the requested error rate: no threshold could keep it. */
export class TooFewGroupsError extends KnowledgePulseError<'TOO_FEW_GROUPS', string> {
  /** The least number of tasks. */
  readonly needed: number;

  constructor(rate: number, needed: number, found: number) {
    super({
      name: 'TooFewGroupsError',
      code: 'TOO_FEW_GROUPS',
      subject: 'groups',
      expected: `at least ${needed} tasks for an error rate of ${rate}`,
      received: String(found),
      remedy: 'add runs of other tasks or accept a higher rate',
    });
    this.needed = needed;
  }
}

/** @throws {@link CurationInputError} unless the value is a number within the bounds. */
export function checkNumber(subject: string, value: unknown, least: number, most: number): void {
  if (typeof value === 'number' && value >= least && value <= most) return;
  throw new CurationInputError(subject, `a number from ${least} to ${most}`, value);
}

/** @throws {@link CurationInputError} unless the value is an integer of at least `least`. */
export function checkCount(subject: string, value: unknown, least: number): void {
  if (Number.isInteger(value) && Number(value) >= least) return;
  throw new CurationInputError(subject, `an integer of at least ${least}`, value);
}

/** @throws {@link CurationInputError} unless there is one entry per run. */
export function checkLength(subject: string, length: number, size: number): void {
  if (length !== size)
    throw new CurationInputError(subject, `${size} entries, one per run`, length);
}
