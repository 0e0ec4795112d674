import { messageOf, rejectOnAbort } from '@kp/foundation';
import { EmbedderLoadError } from '../embedding/errors.ts';
import { verifyFile } from './hashes.ts';

/** Progress of the download of one file. */
export interface DownloadProgress {
  /** The name of the file. */
  readonly file: string;
  /** Bytes so far. */
  readonly loaded: number;
  /** Total bytes; undefined if the server does not report them. */
  readonly total: number | undefined;
}

/** Options of {@link downloadFile}. */
export interface DownloadOptions {
  /** Aborts the download and closes its connection. */
  readonly signal: AbortSignal;
  /** SHA-256 that the file must have. */
  readonly pin?: string;
  /** The remedy in the error message. */
  readonly remedy: string;
  /** Longest wait for the response, and for each further part of it. Default 30,000 ms. */
  readonly stallTimeoutMs?: number;
  readonly onProgress?: (loaded: number, total: number | undefined) => void;
  /** Default: the global one. */
  readonly fetch?: typeof globalThis.fetch;
}

const STALL_TIMEOUT_MS = 30_000;

/**
 * Downloads one file, and always closes the connection.
 *
 * @throws EmbedderLoadError `DOWNLOAD_FAILED` when the download is incomplete, stalls or is aborted;
 *   `FILE_HASH_MISMATCH` when the file does not have the pinned hash.
 */
export async function downloadFile(url: string, options: DownloadOptions): Promise<Uint8Array> {
  const bytes = await receive(url, options).catch((cause: unknown) => {
    throw new EmbedderLoadError({
      code: 'DOWNLOAD_FAILED',
      subject: url,
      expected: 'the whole file',
      received: reasonOf(cause),
      remedy: options.remedy,
      cause,
    });
  });
  await verifyFile(url, bytes, options.pin);
  return bytes;
}

async function receive(url: string, options: DownloadOptions): Promise<Uint8Array> {
  const { signal, onProgress, fetch = globalThis.fetch } = options;
  const { stallTimeoutMs = STALL_TIMEOUT_MS } = options;
  const ending = new AbortController();
  const giveUp = (): void => ending.abort(signal.reason);
  if (signal.aborted) giveUp();
  signal.addEventListener('abort', giveUp, { once: true });
  const waitFor = async <T>(step: Promise<T>): Promise<T> => {
    const stall = new Error(`nothing for ${stallTimeoutMs / 1_000} s`);
    const timer = setTimeout(() => ending.abort(stall), stallTimeoutMs);
    try {
      // A fetch function of the caller may ignore the signal.
      return await rejectOnAbort(step, ending.signal);
    } finally {
      clearTimeout(timer);
    }
  };
  try {
    const response = await waitFor(fetch(url, { signal: ending.signal }));
    if (!response.ok) throw new Error(`HTTP status ${response.status}`);
    const total = lengthOf(response);
    const parts: Uint8Array[] = [];
    let loaded = 0;
    const reader = response.body?.getReader();
    while (reader !== undefined) {
      const { done, value } = await waitFor(reader.read());
      if (done) break;
      parts.push(value);
      loaded += value.length;
      onProgress?.(loaded, total);
    }
    if (total !== undefined && loaded !== total) throw new Error(`${loaded} of ${total} bytes`);
    return concatenate(parts, loaded);
  } catch (cause) {
    ending.abort(cause);
    throw cause;
  } finally {
    signal.removeEventListener('abort', giveUp);
  }
}

/** Total bytes; undefined if the server does not report them, or reports those of a compressed response. */
function lengthOf({ headers }: Response): number | undefined {
  const length = headers.get('content-length');
  return length === null || headers.get('content-encoding') !== null ? undefined : Number(length);
}

function concatenate(parts: readonly Uint8Array[], length: number): Uint8Array {
  const whole = new Uint8Array(length);
  let offset = 0;
  for (const part of parts) {
    whole.set(part, offset);
    offset += part.length;
  }
  return whole;
}

/** The message and, for the 'fetch failed' of Node, that of its cause. */
function reasonOf(cause: unknown): string {
  const deeper = cause instanceof Error ? cause.cause : undefined;
  return deeper instanceof Error ? `${messageOf(cause)}: ${deeper.message}` : messageOf(cause);
}
