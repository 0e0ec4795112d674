import {
  canHoldOptions,
  describeValue,
  findUnknownOption,
  KnowledgePulseError,
  type OptionNames,
} from '@kp/foundation';

/** The weights of a profile are invalid. */
export class ProfileError extends KnowledgePulseError {
  /** The name of the profile. */
  readonly profile: string;

  constructor(profile: string, expected: string, received: string) {
    const subject = `profile "${profile}"`;
    super({ name: 'ProfileError', code: 'PROFILE_INVALID', subject, expected, received });
    this.profile = profile;
  }
}

/** An option of a scorer or of one of its calls is invalid. */
export class ScorerOptionError extends KnowledgePulseError {
  constructor(option: string, expected: string, received: unknown, remedy?: string) {
    super({
      name: 'ScorerOptionError',
      code: 'SCORER_OPTION_INVALID',
      subject: option,
      expected,
      received: describeValue(received),
      remedy,
    });
  }
}

/** @throws {@link ScorerOptionError} unless options are an object with no other names than these. */
export function checkOptionNames(options: object, names: OptionNames): void {
  if (!canHoldOptions(options)) throw new ScorerOptionError('options', 'an object', options);
  const unknown = findUnknownOption(options, names);
  if (unknown === undefined) return;
  throw new ScorerOptionError('options', unknown.expected, unknown.name, unknown.remedy);
}

/** A custom dimension or rule failed, or a score cannot be computed without it. */
export class FormulaError extends KnowledgePulseError {
  constructor(
    part: string,
    expected: string,
    received: string,
    more?: { readonly cause?: unknown; readonly remedy?: string },
  ) {
    const code = 'FORMULA_FAILED';
    super({ name: 'FormulaError', code, subject: part, expected, received, ...more });
  }
}
