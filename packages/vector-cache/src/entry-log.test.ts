import { describe, expect, it } from 'bun:test';
import { EntryLog } from './entry-log.ts';

describe('EntryLog', () => {
  it('holds 8 bytes of times a row, and three times that once a key was looked up', () => {
    const log = new EntryLog();
    expect(log.bytes).toBe(16 * 8);
    log.append(0, undefined);
    // Nothing has a key, so that there is nothing to look up.
    expect(log.has('a')).toBe(false);
    expect(log.bytes).toBe(16 * 8);
    log.append(0, 'a');
    expect(log.bytes).toBe(16 * 8);
    expect(log.has('a')).toBe(true);
    expect(log.bytes).toBe(3 * 16 * 8);
    for (let row = 2; row <= 16; row++) log.append(0, 'a');
    // The 17th row moves all of them to where there is as much room again.
    expect(log.bytes).toBe(3 * 32 * 8);
    log.clear();
    expect(log.bytes).toBe(16 * 8);
  });

  it('counts the erased rows that follow one another, up to its last row', () => {
    const log = new EntryLog();
    for (const key of ['a', 'b', 'kept', 'c']) log.append(0, key);
    expect(log.leadingErased()).toBe(0);
    for (const key of ['b', 'a', 'c']) log.erase(key);
    expect([0, 1, 2, 3].map((from) => log.leadingErased(from))).toEqual([2, 1, 0, 1]);
    log.erase('kept');
    expect(log.leadingErased()).toBe(4);
  });
});
