import { open } from 'node:fs/promises';
import { LINE_FEED } from './line-feeds.ts';

/** Bytes per read into shared memory: somewhat more than a block, so that a chunk is one and need not be copied. */
export const SHARED_READ_BYTES: number = 2 ** 19 + 2 ** 16;

/**
 * Reads the bytes of a file into memory that threads can share. Chunks end with a line, unless a line is longer than
 * a chunk, so that nobody has to join the lines between them.
 */
export async function* readSharedLines(
  path: string,
  signal: AbortSignal,
): AsyncGenerator<Uint8Array> {
  const file = await open(path);
  try {
    let rest: Uint8Array = new Uint8Array();
    for (;;) {
      const chunk = new Uint8Array(new SharedArrayBuffer(rest.length + SHARED_READ_BYTES));
      chunk.set(rest);
      signal.throwIfAborted();
      const { bytesRead } = await file.read(chunk, rest.length, SHARED_READ_BYTES, null);
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
