import { describe, expect, it } from 'bun:test';
import { firstPresent, isObject, jsonOrText, withoutUndefined } from './object-fields.ts';

describe('isObject', () => {
  it.each([
    [{}, true],
    [Object.create(null), true],
    [[], false],
    [null, false],
    ['{}', false],
  ])('is for %p: %p', (value, expected) => {
    expect(isObject(value)).toBe(expected);
  });
});

describe('firstPresent', () => {
  it('prefers the names in their order and passes over undefined and null', () => {
    const fields = { a: undefined, b: null, c: 0, d: 1 };
    expect(firstPresent(fields, ['a', 'b', 'd', 'c'])).toBe(1);
    expect(firstPresent(fields, ['c', 'd'])).toBe(0);
    expect(firstPresent(fields, ['a', 'b', 'e'])).toBeUndefined();
  });
});

describe('withoutUndefined', () => {
  it('keeps null and does not change its argument', () => {
    const fields = { a: undefined, b: null, c: 0 };
    expect(Object.keys(withoutUndefined(fields))).toEqual(['b', 'c']);
    expect(Object.keys(fields)).toEqual(['a', 'b', 'c']);
  });
});

describe('jsonOrText', () => {
  it.each([
    ['{"a":1}', { a: 1 }],
    ['"text"', 'text'],
    ['text', 'text'],
    ['', ''],
  ])('reads %p', (text, expected) => {
    expect(jsonOrText(text)).toEqual(expected);
  });
});
