/**
 * A stream that ends with the signal's reason as soon as it is aborted, even while its source
 * keeps it waiting. The source is told to close and not waited for.
 */
export async function* untilAborted<Chunk>(
  chunks: AsyncGenerator<Chunk>,
  signal: AbortSignal | undefined,
): AsyncGenerator<Chunk> {
  if (signal === undefined) {
    yield* chunks;
    return;
  }
  let stop: () => void = () => undefined;
  const aborted = new Promise<never>((_, reject) => {
    stop = () => reject(signal.reason);
    signal.addEventListener('abort', stop, { once: true });
  });
  // Without a race under way nobody else would hear of it.
  aborted.catch(() => undefined);
  try {
    for (;;) {
      signal.throwIfAborted();
      const next = await Promise.race([chunks.next(), aborted]);
      if (next.done) return;
      yield next.value;
    }
  } finally {
    signal.removeEventListener('abort', stop);
    const closed = chunks.return(undefined).catch(() => undefined);
    if (!signal.aborted) await closed;
  }
}
