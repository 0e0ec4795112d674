/** An argument of this package that is not usable. */
export class CurationInputError extends RangeError {
  /** The name of the class. */
  override readonly name = 'CurationInputError';
  /** To match by. */
  readonly code = 'CURATION_INPUT_INVALID';
  /** What can be used. */
  readonly expected: string;
  /** What came instead. */
  readonly received: string;

  constructor(subject: string, expected: string, received: unknown) {
    super(`${subject}: expected ${expected}, received ${String(received)}`);
    this.expected = expected;
    this.received = String(received);
  }
}

/** Too few tasks for the error rate that was asked for: no threshold could keep it. */
export class TooFewGroupsError extends Error {
  /** The name of the class. */
  override readonly name = 'TooFewGroupsError';
  /** To match by. */
  readonly code = 'TOO_FEW_GROUPS';
  /** Tasks that there must be at least. */
  readonly needed: number;
  /** How many tasks the rate needs. */
  readonly expected: string;
  /** How many there are. */
  readonly received: string;

  constructor(rate: number, needed: number, found: number) {
    super(
      `groups: expected at least ${needed} tasks for an error rate of ${rate}, received ${found}; ` +
        'add runs of other tasks or accept a higher rate',
    );
    this.needed = needed;
    this.expected = `at least ${needed} tasks`;
    this.received = `${found} tasks`;
  }
}

/** @throws {@link CurationInputError} unless the value is a number within the bounds. */
export function checkNumber(subject: string, value: unknown, least: number, most: number): void {
  if (typeof value === 'number' && value >= least && value <= most) return;
  throw new CurationInputError(subject, `a number from ${least} to ${most}`, value);
}

/** @throws {@link CurationInputError} unless the value is an integer of at least `least`. */
export function checkCount(subject: string, value: unknown, least: number): void {
  if (Number.isInteger(value) && (value as number) >= least) return;
  throw new CurationInputError(subject, `an integer of at least ${least}`, value);
}

/** @throws {@link CurationInputError} unless there is one entry a run. */
export function checkLength(subject: string, length: number, size: number): void {
  if (length !== size) throw new CurationInputError(subject, `${size} entries, one a run`, length);
}
