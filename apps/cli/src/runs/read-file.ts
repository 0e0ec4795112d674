import { createReadStream } from 'node:fs';
import { open } from 'node:fs/promises';
import { isSqlite, readPhoenixDatabase } from './phoenix-database.ts';

/**
 * Bytes per read. Each read switches to another thread, which is slow for the default of 64 KiB.
 */
const READ_BYTES = 2 ** 18;

/** Fewest bytes per read, for files that grow. */
const FEWEST_READ_BYTES = 2 ** 12;

/**
 * Reads the bytes of a file, or the traces of a Phoenix database.
 *
 * @param bytes - expected size of the file; a read of a small file needs no more room.
 */
export async function* readFileOrDatabase(
  path: string,
  signal: AbortSignal = new AbortController().signal,
  bytes: number = READ_BYTES,
): AsyncGenerator<Uint8Array> {
  const highWaterMark = Math.min(READ_BYTES, Math.max(FEWEST_READ_BYTES, bytes));
  let isFirst = true;
  for await (const chunk of createReadStream(path, { signal, highWaterMark })) {
    if (isFirst && isSqlite(chunk)) {
      yield* readPhoenixDatabase(path, signal);
      return;
    }
    isFirst = false;
    yield chunk;
  }
}

const LINE_FEED = 0x0a;
/** Bytes per read into shared memory: somewhat more than a block, so that a chunk is one and need not be copied. */
const SHARED_READ_BYTES = 2 ** 18 + 2 ** 16;

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
