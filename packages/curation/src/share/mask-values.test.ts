import { describe, expect, it } from 'bun:test';
import { createMask } from './mask-values.ts';

const masked = (text: string, ...values: (readonly [string, string])[]): string =>
  createMask(new Map(values)).text(text);

describe('createMask', () => {
  it('numbers values within their kind', () => {
    const values = [
      ['one', 'key'],
      ['two', 'key'],
      ['six', 'mail'],
    ] as const;
    expect(masked('two six one two', ...values)).toBe('[key-2] [mail-1] [key-1] [key-2]');
  });

  it('takes the longest of values that begin alike, and values as they are written', () => {
    expect(masked('abc ab', ['ab', 'key'], ['abc', 'key'])).toBe('[key-2] [key-1]');
    expect(masked('a.c abc a+(b)', ['a.c', 'key'], ['a+(b)', 'key'])).toBe('[key-1] abc [key-2]');
  });

  it('takes a name of five letters for a word anywhere, a shorter one in paths alone', () => {
    const maras = (name: string): string =>
      masked(
        `${name} /home/${name}/x /Users/${name} C:\\Users\\${name} ${name}s x-${name} ${name}`,
        [name, 'user-name-in-path'],
      );
    const mark = '[user-name-in-path-1]';
    expect(maras('maria')).toBe(
      `${mark} /home/${mark}/x /Users/${mark} C:\\Users\\${mark} marias x-maria ${mark}`,
    );
    expect(maras('mara')).toBe(
      `mara /home/${mark}/x /Users/${mark} C:\\Users\\${mark} maras x-mara mara`,
    );
  });

  it('reads all of a JSON value, names of fields too, and leaves the rest as it is', () => {
    const mask = createMask(new Map([['abcdefgh', 'key']]));
    const value = { abcdefgh: ['abcdefgh', 1, null, true, { a: 'x abcdefgh' }], b: undefined };
    expect(mask.value<unknown>(value)).toEqual({
      '[key-1]': ['[key-1]', 1, null, true, { a: 'x [key-1]' }],
      b: undefined,
    });
    expect(createMask(new Map()).text('as it is')).toBe('as it is');
  });
});
