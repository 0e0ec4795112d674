import { describe, expect, it } from 'bun:test';
import { shortNames } from './short-names.ts';

describe('shortNames', () => {
  it.each([
    [['/a/b/runs.json'], ['runs.json']],
    [['/a/b/runs/'], ['runs']],
    [
      ['new/runs.json', 'old/runs.json', 'x.json'],
      ['new/runs.json', 'old/runs.json', 'x.json'],
    ],
    [
      ['a/x/r.json', 'b/x/r.json'],
      ['a/x/r.json', 'b/x/r.json'],
    ],
    [['C:\\runs\\a.json'], ['a.json']],
    [
      ['r.json', 'r.json'],
      ['r.json', 'r.json'],
    ],
    [['-'], ['-']],
    [['/'], ['/']],
    [[], []],
  ])('of %j are %j', (paths, names) => {
    expect(shortNames(paths)).toEqual(names);
  });
});
