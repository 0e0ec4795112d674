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
  try {
    for (;;) {
      signal.throwIfAborted();
      const next = await nextOrAborted(chunks, signal);
      if (next.done) return;
      yield next.value;
    }
  } finally {
    const closed = chunks.return(undefined).catch(() => undefined);
    if (!signal.aborted) await closed;
  }
}

/** One promise a chunk: a race with one that stays for the whole stream would keep every chunk. */
function nextOrAborted<Chunk>(
  chunks: AsyncGenerator<Chunk>,
  signal: AbortSignal,
): Promise<IteratorResult<Chunk>> {
  return new Promise((resolve, reject) => {
    const stop = (): void => reject(signal.reason);
    signal.addEventListener('abort', stop, { once: true });
    const settled = chunks.next().then(resolve, reject);
    void settled.finally(() => signal.removeEventListener('abort', stop));
  });
}
