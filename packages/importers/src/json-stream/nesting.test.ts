import { describe, expect, it } from 'bun:test';
import { isNestedDeeper } from '../json/json-value.ts';

const nested = (levels: number) => JSON.parse('['.repeat(levels) + ']'.repeat(levels));

describe('isNestedDeeper', () => {
  it.each([
    [1, 0, false],
    [[], 0, true],
    [[], 1, false],
    [[1, [2]], 1, true],
    [{ a: { b: 1 } }, 2, false],
    [{ a: { b: [] } }, 2, true],
  ])('of %j beyond %d levels is %p', (value, levels, expected) => {
    expect(isNestedDeeper(value as never, levels)).toBe(expected);
  });

  it('bears a million levels, and takes 512 for as many as are read', () => {
    expect(isNestedDeeper(nested(1_000_000))).toBe(true);
    expect(isNestedDeeper(nested(512))).toBe(false);
    expect(isNestedDeeper(nested(513))).toBe(true);
  });
});
