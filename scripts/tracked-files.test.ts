import { expect, it } from 'bun:test';
import { join } from 'node:path';
import { outputOf } from '../integration/run-command.ts';

const root = join(import.meta.dir, '..');
const names = (await outputOf(['git', 'ls-files', '-z'], { cwd: root }))
  .split('\0')
  .filter(Boolean);
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
