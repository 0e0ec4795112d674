import { expect, it } from 'bun:test';
import { readInspectEntries } from './inspect-archive.ts';

it('names the first three files of an archive without samples', async () => {
  const files = ['header.json', 'a', 'b', 'c'].map((name) => ({ name, open: expect.unreachable }));
  const reading = Array.fromAsync(readInspectEntries(files as never, expect.unreachable as never));
  await expect(reading).rejects.toThrow(
    'expected an Inspect log with samples/*.json, received one with header.json, a, b',
  );
});
