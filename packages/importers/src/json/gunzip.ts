import { type ByteSource, toByteChunks } from './byte-source.ts';

/** A compressed input that ends early or is damaged; what came before it has been delivered. */
export class DamagedArchiveError extends Error {
  override readonly name = 'DamagedArchiveError';
  readonly code = 'damaged_archive';

  readonly expected: string;
  readonly received: string;

  constructor(expected: string, received: string, cause?: unknown) {
    super(`input: expected ${expected}, received ${received}`, { cause });
    this.expected = expected;
    this.received = received;
  }
}

/**
 * Unpacks gzip data, which it knows by its first two bytes (1f 8b), and passes anything else
 * through. Several members one after the other (`cat a.gz b.gz`) are one stream under Bun and
 * Node; the decompressors of browsers stop at the first with an error.
 *
 * @throws {@link DamagedArchiveError} after the last chunk that could be unpacked.
 * @see RFC 1952, sections 2.2 and 2.3.1.
 */
export async function* gunzipIfNeeded(source: ByteSource): AsyncGenerator<Uint8Array> {
  const chunks = toByteChunks(source);
  const head = await readHead(chunks, 2);
  if (head[0] === 0x1f && head[1] === 0x8b) yield* gunzip(prepend(head, chunks));
  else yield* prepend(head, chunks);
}

async function readHead(chunks: AsyncGenerator<Uint8Array>, length: number): Promise<Uint8Array> {
  let head: Uint8Array = new Uint8Array(0);
  while (head.length < length) {
    const next = await chunks.next();
    if (next.done) break;
    const joined = new Uint8Array(head.length + next.value.length);
    joined.set(head);
    joined.set(next.value, head.length);
    head = joined;
  }
  return head;
}

async function* prepend(
  head: Uint8Array,
  rest: AsyncGenerator<Uint8Array>,
): AsyncGenerator<Uint8Array> {
  if (head.length > 0) yield head;
  yield* rest;
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
