import { describe, expect, it } from 'bun:test';
import { createIssue, valueAt } from './issues.ts';

describe('createIssue', () => {
  it.each([
    [[], 'trace'],
    [['steps', 3, 'type'], 'steps[3].type'],
    [[0], '[0]'],
    [['a b', 'c'], '["a b"].c'],
    [['steps', Symbol('mine')], 'steps[Symbol(mine)]'],
    [['$a_1', '1a'], '$a_1["1a"]'],
  ])('writes the path %p as %s', (path, written) => {
    expect(createIssue(path, 'x', 'y')).toEqual({
      path: written,
      expected: 'x',
      received: 'y',
      message: `${written}: expected x, received y`,
    });
  });
});

describe('valueAt', () => {
  it('returns the value at a path, or undefined', () => {
    expect(valueAt({ a: [{ b: 0 }] }, ['a', 0, 'b'])).toBe(0);
    expect(valueAt({ a: null }, ['a', 'b'])).toBeUndefined();
    expect(valueAt('text', ['length'])).toBeUndefined();
    expect(valueAt(undefined, [])).toBeUndefined();
  });
});
