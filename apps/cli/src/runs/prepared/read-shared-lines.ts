import { open } from 'node:fs/promises';
import { LINE_FEED } from '../inputs/line-feeds.ts';

const READ_PER_BLOCK = 1.25;

/**
 * Reads the bytes of a file into memory that threads can share. Chunks end with a line, unless a line is longer than
 * a chunk, so that nobody has to join the lines between them.
 *
 * @param blockBytes - bytes from which on lines are a block. Somewhat more is read at once, so that a chunk is a block
 *   and need not be copied.
 */
export async function* readSharedLines(
  path: string,
  signal: AbortSignal,
  blockBytes: number,
): AsyncGenerator<Uint8Array> {
  const readBytes = Math.ceil(blockBytes * READ_PER_BLOCK);
  const file = await open(path);
  try {
    let rest: Uint8Array = new Uint8Array();
    for (;;) {
      const chunk = new Uint8Array(new SharedArrayBuffer(rest.length + readBytes));
      chunk.set(rest);
      signal.throwIfAborted();
      const { bytesRead } = await file.read(chunk, rest.length, readBytes, null);
      if (bytesRead === 0) break;
      const read = chunk.subarray(0, rest.length + bytesRead);
      const end = read.lastIndexOf(LINE_FEED) + 1;
      rest = read.subarray(end === 0 ? read.length : end);
      yield end === 0 ? read : read.subarray(0, end);
    }
    if (rest.length > 0) yield rest;
  } finally {
    await file.close();
  }
}
