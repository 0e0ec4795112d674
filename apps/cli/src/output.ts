import { once } from 'node:events';
import type { Writable } from 'node:stream';

/** Where results go. */
export interface Output {
  /** Resolves when the reader keeps up; does nothing once it has gone. */
  write(text: string): Promise<void>;
  /** Aborted when the reader has gone, as `head` does when it has seen enough. */
  readonly closed: AbortSignal;
}

/** Writes to a stream that may be a pipe which its reader closes early. */
export function createOutput(stream: Writable): Output {
  const reader = new AbortController();
  stream.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code !== 'EPIPE' && error.code !== 'ERR_STREAM_DESTROYED') throw error;
    reader.abort();
  });
  return {
    closed: reader.signal,
    async write(text) {
      if (reader.signal.aborted || stream.write(text)) return;
      try {
        await once(stream, 'drain', { signal: reader.signal });
      } catch (error) {
        // A reader that has gone never drains the pipe; anything else is a real failure.
        if (!reader.signal.aborted) throw error;
      }
    },
  };
}
