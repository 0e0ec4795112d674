import { describe, expect, it } from 'bun:test';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { useFolder } from '@kp/testing/folder';
import { readSharedLines } from './read-shared-lines.ts';

const folder = useFolder('kp-read-file-');
const neverStopped = new AbortController().signal;
const BLOCK_BYTES = 2 ** 16;
const CHUNK_BYTES = 1.25 * BLOCK_BYTES;

async function chunksOf(content: string): Promise<Uint8Array[]> {
  const path = join(folder, 'content');
  await writeFile(path, content);
  return Array.fromAsync(readSharedLines(path, neverStopped, BLOCK_BYTES));
}

describe('readSharedLines', () => {
  const line = `${'é'.repeat(5000)}\n`;
  const perChunk = Math.floor(CHUNK_BYTES / Buffer.byteLength(line));
  it.each([
    ['nothing', '', 0],
    ['a line without a line break', 'abc', 1],
    ['blank lines', '\n\n\n', 1],
    ['lines of several chunks', line.repeat(3 * perChunk), 3],
    ['a line longer than several chunks', `${line}${'x'.repeat(3 * CHUNK_BYTES)}\n${line}`, 4],
    ['a last line without a line break', `${line.repeat(2 * perChunk)}abc`, 3],
  ])('reads %s', async (_, content, leastChunks) => {
    const chunks = await chunksOf(content);
    expect(Buffer.concat(chunks).toString()).toBe(content);
    expect(chunks.length).toBeGreaterThanOrEqual(leastChunks);
    expect(chunks.every(({ buffer }) => buffer instanceof SharedArrayBuffer)).toBe(true);
    expect(chunks.every(({ length }) => length > 0)).toBe(true);
  });

  it('ends chunks with a line', async () => {
    const chunks = await chunksOf(line.repeat(3 * perChunk));
    expect(chunks.map((chunk) => chunk.at(-1))).toEqual(chunks.map(() => 0x0a));
  });

  it('rejects for a missing file, and once it is stopped', async () => {
    const missing = readSharedLines(join(folder, 'missing'), neverStopped, BLOCK_BYTES);
    await expect(missing.next()).rejects.toThrow('ENOENT');
    const path = join(folder, 'content');
    await writeFile(path, line.repeat(100));
    const stop = new AbortController();
    const chunks = readSharedLines(path, stop.signal, BLOCK_BYTES);
    await chunks.next();
    stop.abort(new Error('enough'));
    await expect(chunks.next()).rejects.toThrow('enough');
  });
});
