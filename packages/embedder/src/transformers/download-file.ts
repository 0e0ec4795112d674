import { EmbedderLoadError } from '../embedder-load-error.ts';
import { type FilePins, verifyFile } from '../file-pins.ts';
import type { DownloadProgress } from './transformers-embedder-options.ts';

/** What a download is checked against and reports to. */
export interface DownloadContext {
  readonly downloadPins: FilePins;
  readonly onProgress: ((progress: DownloadProgress) => void) | undefined;
  readonly signal: AbortSignal;
  /** Default: the global one. */
  readonly fetch?: typeof globalThis.fetch | undefined;
}

/**
 * Downloads one file whole.
 *
 * @throws EmbedderLoadError `DOWNLOAD_FAILED` when it does not arrive whole, `FILE_HASH_MISMATCH`
 *   when it is not the pinned one.
 */
export async function downloadFile(
  url: string,
  file: string,
  context: DownloadContext,
): Promise<Uint8Array> {
  const bytes = await receive(url, file, context);
  const pin = context.downloadPins[file];
  if (pin !== undefined) await verifyFile(url, bytes, pin);
  return bytes;
}

async function receive(url: string, file: string, context: DownloadContext): Promise<Uint8Array> {
  const { signal, onProgress, fetch = globalThis.fetch } = context;
  try {
    const response = await fetch(url, { signal });
    if (!response.ok) throw downloadError(url, `HTTP status ${response.status}`, undefined);
    const length = response.headers.get('content-length');
    // A compressed response states the compressed length.
    const isPlain = response.headers.get('content-encoding') === null;
    const total = length === null || !isPlain ? undefined : Number(length);
    const parts: Uint8Array[] = [];
    let loaded = 0;
    for await (const part of streamOf(response)) {
      parts.push(part);
      loaded += part.length;
      onProgress?.({ file, loaded, total });
    }
    if (total !== undefined && loaded !== total) {
      throw downloadError(url, `${loaded} of ${total} bytes`, undefined);
    }
    return concatenate(parts, loaded);
  } catch (cause) {
    if (cause instanceof EmbedderLoadError) throw cause;
    throw downloadError(url, reasonOf(cause), cause);
  }
}

async function* streamOf(response: Response): AsyncGenerator<Uint8Array> {
  const reader = response.body?.getReader();
  if (reader === undefined) return;
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return;
    yield value;
  }
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

/** The message; Node keeps what happened to the connection in the cause of a bare 'fetch failed'. */
function reasonOf(cause: unknown): string {
  if (!(cause instanceof Error)) return String(cause);
  return cause.cause instanceof Error ? `${cause.message}: ${cause.cause.message}` : cause.message;
}

function downloadError(url: string, received: string, cause: unknown): EmbedderLoadError {
  return new EmbedderLoadError({
    code: 'DOWNLOAD_FAILED',
    subject: url,
    expected: 'the whole file',
    received,
    remedy:
      'Check the network and the model name, or set localModelPath to a folder with the model.',
    cause,
  });
}
