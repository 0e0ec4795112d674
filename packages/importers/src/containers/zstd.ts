import { DamagedArchiveError } from '../errors.ts';
import { loadLibrary } from './load-library.ts';

/** Bytes that are unpacked at a time: what one piece of damaged data can make of memory. */
const PIECE = 2 ** 16;

/**
 * Unpacks zstd data as it comes.
 *
 * @throws {@link DamagedArchiveError} after what could be unpacked.
 * @see RFC 8878.
 */
export async function* unzstd(chunks: AsyncGenerator<Uint8Array>): AsyncGenerator<Uint8Array> {
  const { Decompress } = await loadLibrary('zstd data', 'fzstd', async () => {
    try {
      return await import('fzstd');
    } catch (cause) {
      return Promise.reject(cause);
    }
  });
  let ready: Uint8Array[] = [];
  const decompressor = new Decompress((piece) => ready.push(piece));
  const push = (piece: Uint8Array, isLast: boolean): void => {
    try {
      decompressor.push(piece, isLast);
    } catch (cause) {
      const reason = cause instanceof Error ? cause.message : String(cause);
      const received = `damaged or cut off data (${reason})`;
      throw new DamagedArchiveError('zstd data up to its end', received, cause);
    }
  };
  for await (const chunk of chunks) {
    for (let at = 0; at < chunk.length; at += PIECE) {
      // The library keeps what it is given.
      push(chunk.slice(at, at + PIECE), false);
      const unpacked = ready;
      ready = [];
      yield* unpacked;
    }
  }
  push(new Uint8Array(0), true);
  yield* ready;
}
