/**
 * Passes chunks on until the signal is aborted, then throws its reason at once, even while the source
 * is pending. The source is closed without waiting for it.
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

/** Uses a new promise per chunk: racing against one long-lived promise would retain every chunk. */
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
