import { describeValue, KnowledgePulseError } from '@kp/foundation';

/** The weights of a profile that are not usable. */
export class ProfileError extends KnowledgePulseError {
  /** The name of the profile. */
  readonly profile: string;

  constructor(profile: string, expected: string, received: string) {
    const subject = `profile "${profile}"`;
    super({ name: 'ProfileError', code: 'PROFILE_INVALID', subject, expected, received });
    this.profile = profile;
  }
}

/** An option of a scorer, or of one of its calls, that is not usable. */
export class ScorerOptionError extends KnowledgePulseError {
  constructor(option: string, expected: string, received: unknown) {
    super({
      name: 'ScorerOptionError',
      code: 'SCORER_OPTION_INVALID',
      subject: option,
      expected,
      received: describeValue(received),
    });
  }
}

/** A dimension or rule of the user's that failed, or a score that cannot be computed without it. */
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
