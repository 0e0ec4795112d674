import { expect, it } from 'bun:test';
import { trackedFiles } from './tracked-files.ts';

const names = await trackedFiles();
const RESERVED = /^(?:con|prn|aux|nul|com\d|lpt\d)(?:\.|$)/i;

it('has no names that differ only by case, which Windows and macOS cannot keep in one folder', () => {
  const folded = names.map((name) => name.toLowerCase());
  expect(names.filter((_, index) => folded.indexOf(folded[index] ?? '') !== index)).toEqual([]);
});

it('has only names that are valid on Windows', () => {
  expect(names.length).toBeGreaterThan(500);
  for (const name of names) {
    expect(name).not.toMatch(/[<>:"|?*\\]|[ .](?:\/|$)/);
    for (const part of name.split('/')) expect(part).not.toMatch(RESERVED);
    // The folder of the clone takes some of the 260 characters of a path.
    expect(name.length).toBeLessThan(160);
  }
});
