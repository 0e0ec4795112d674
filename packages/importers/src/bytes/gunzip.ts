import { DamagedArchiveError } from '../errors.ts';
import { type ByteSource, peek, toByteChunks } from './byte-source.ts';

/**
 * Unpacks gzip data, which it knows by its first two bytes (1f 8b), and passes anything else
 * through. Several members one after the other (`cat a.gz b.gz`) are one stream under Bun and
 * Node; the decompressors of browsers stop at the first with an error.
 *
 * @throws {@link DamagedArchiveError} after the last chunk that could be unpacked.
 * @see RFC 1952, sections 2.2 and 2.3.1.
 */
export async function* gunzipIfNeeded(source: ByteSource): AsyncGenerator<Uint8Array> {
  const { head, chunks } = await peek(toByteChunks(source), 2);
  yield* head[0] === 0x1f && head[1] === 0x8b ? gunzip(chunks) : chunks;
}

async function* gunzip(chunks: AsyncGenerator<Uint8Array>): AsyncGenerator<Uint8Array> {
  const stream = new DecompressionStream('gzip');
  const writer = stream.writable.getWriter();
  let sourceFailure: { error: unknown } | undefined;
  const feed = async (): Promise<void> => {
    try {
      for (;;) {
        const next = await chunks.next().catch((error: unknown) => {
          sourceFailure = { error };
          throw error;
        });
        if (next.done) break;
        await writer.write(next.value as Uint8Array<ArrayBuffer>);
      }
      await writer.close();
    } catch (error) {
      // Damage also fails the reading side, which reports it; aborting twice changes nothing.
      await writer.abort(error).catch(() => undefined);
    }
  };
  const feeding = feed();
  const reader = stream.readable.getReader();
  try {
    for (;;) {
      const next = await reader.read();
      if (next.done) break;
      yield next.value;
    }
  } catch (error) {
    if (sourceFailure !== undefined) throw sourceFailure.error;
    const reason = error instanceof Error ? error.message : String(error);
    throw new DamagedArchiveError(
      'gzip data up to its end',
      `damaged or cut off data (${reason})`,
      error,
    );
  } finally {
    await reader.cancel().catch(() => undefined);
    await feeding;
    await chunks.return(undefined);
  }
}
