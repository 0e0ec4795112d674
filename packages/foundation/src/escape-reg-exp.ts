import { assertType } from './argument-errors.ts';

/**
 * Escapes a text so that it stands for itself in a regular expression, outside of a class, with any
 * flags. A hyphen stays as it is: with the flags `u` and `v`, its escape is refused there.
 *
 * @param text - any text.
 */
export function escapeRegExp(text: string): string {
  assertType('text', 'a string', text);
  return text.replaceAll(/[\\^$.*+?()[\]{}|/]/g, String.raw`\$&`);
}
