import { describe, expect, it } from 'bun:test';
import { escapeRegExp } from './escape-reg-exp.ts';

const TEXTS = [
  'a.c',
  '1+1=2?',
  '^$',
  '(x|y)',
  '[a-z]{2}',
  'C:\\runs',
  'a/b',
  'Anne-Marie',
  '',
  'ß',
];

describe('escapeRegExp', () => {
  it.each(['', 'u', 'v'])(
    'makes a pattern that matches only the text, with the flags %p',
    (flags) => {
      for (const text of TEXTS) {
        const pattern = new RegExp(`^(?:${escapeRegExp(text)})$`, flags);
        expect(TEXTS.filter((other) => pattern.test(other))).toEqual([text]);
      }
      expect(new RegExp(escapeRegExp('a.c'), flags).test('abc')).toBe(false);
    },
  );

  it('rejects a value that is not a string', () => {
    expect(() => escapeRegExp(undefined as never)).toThrow('text: expected a string');
  });
});
