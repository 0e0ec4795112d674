import { createReadStream } from 'node:fs';
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
