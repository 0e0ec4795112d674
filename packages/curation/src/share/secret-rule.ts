/** A pattern of a secret or of personal data. */
export interface SecretPattern {
  /** Lower case with hyphens; names the kind in reports and in the mask. */
  readonly kind: string;
  /** Has the flag `g`. The group `value` is what is masked; without one, the whole match. */
  readonly pattern: RegExp;
  /** Whether a matching value is known not to be a secret, such as a placeholder. */
  readonly isHarmless?: (value: string) => boolean;
}

/** A part of a text that should be masked. */
export interface Span {
  readonly kind: string;
  /** First UTF-16 code unit, from 0. */
  readonly start: number;
  /** The code unit after the last one. */
  readonly end: number;
}

/** Finds the parts of a text that one rule is about. */
export type SecretRule = (text: string) => readonly Span[];

/** The rule of one pattern. */
export function patternRule({ kind, pattern, isHarmless }: SecretPattern): SecretRule {
  return (text) => {
    const spans: Span[] = [];
    for (const match of text.matchAll(pattern)) {
      const value = match.groups?.value ?? match[0];
      if (value === '' || isHarmless?.(value) === true) continue;
      const start = match.index + match[0].lastIndexOf(value);
      spans.push({ kind, start, end: start + value.length });
    }
    return spans;
  };
}
