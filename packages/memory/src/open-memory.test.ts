import { describe, expect, it } from 'bun:test';
import { pathOfFileUrl } from './open-memory.ts';

describe('pathOfFileUrl', () => {
  it.each([
    ['file:///runs/seen%20before.db', false, '/runs/seen before.db'],
    ['file:///C:/runs/seen%20before.db', true, 'C:\\runs\\seen before.db'],
    ['file://server/runs/seen.db', true, '\\\\server\\runs\\seen.db'],
  ])('reads %s, on Windows: %p', (location, windows, path) => {
    expect(pathOfFileUrl(location, windows)).toBe(path);
  });

  it.each([
    ['file://server/runs/seen.db', false],
    ['file:///runs/seen.db', true],
  ])('refuses %s, which names no file there, on Windows: %p', (location, windows) => {
    expect(() => pathOfFileUrl(location, windows)).toThrow('file of this machine');
  });
});
