import { expect, it } from 'bun:test';
import { trackedFiles } from './tracked-files.ts';

const names = await trackedFiles();
const RESERVED = /^(?:con|prn|aux|nul|com\d|lpt\d)(?:\.|$)/i;

it('has no names that differ by case alone, which one folder of Windows or macOS cannot hold', () => {
  const folded = names.map((name) => name.toLowerCase());
  expect(names.filter((_, index) => folded.indexOf(folded[index] ?? '') !== index)).toEqual([]);
});

it('has names that Windows can write', () => {
  expect(names.length).toBeGreaterThan(500);
  for (const name of names) {
    expect(name).not.toMatch(/[<>:"|?*\\]|[ .](?:\/|$)/);
    for (const part of name.split('/')) expect(part).not.toMatch(RESERVED);
    // Of the 260 characters of a path some are the folder's in which a clone lies.
    expect(name.length).toBeLessThan(160);
  }
});
