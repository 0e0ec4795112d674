import { EmbedderLoadError } from '../embedder-load-error.ts';
import { verifyFile } from '../file-pins.ts';
import { nodeFileSystem } from '../node-file-system.ts';

/**
 * A file of a static model, from a folder or an address.
 *
 * @param pin - SHA-256 that it must have.
 * @throws EmbedderLoadError `FILE_MISSING`, `DOWNLOAD_FAILED` or `FILE_HASH_MISMATCH`.
 */
export async function readStaticFile(
  folder: string,
  file: string,
  pin: string | undefined,
): Promise<Uint8Array> {
  const path = `${folder.replace(/\/$/, '')}/${file}`;
  const fileSystem = nodeFileSystem();
  const bytes =
    fileSystem !== undefined && !isAddress(path)
      ? await fileSystem.readFile(path).catch((cause: unknown) => {
          throw missingError(path, cause);
        })
      : await fetchFile(path);
  if (pin !== undefined) await verifyFile(path, bytes, pin);
  return bytes;
}

/** Whether a path is a URL. One letter before the colon is a drive. */
export function isAddress(path: string): boolean {
  return /^[a-z]{2,}:\/\//i.test(path);
}

/** Says that a file of the model cannot be read. */
export function missingError(path: string, cause: unknown): EmbedderLoadError {
  return new EmbedderLoadError({
    code: 'FILE_MISSING',
    subject: path,
    expected: 'a file of the model',
    received: cause instanceof Error ? cause.message : String(cause),
    remedy: 'Put it there, or correct path: a folder with model.safetensors and tokenizer.json.',
    cause,
  });
}

async function fetchFile(url: string): Promise<Uint8Array> {
  try {
    const response = await fetch(url);
    if (!response.ok) throw new Error(`HTTP status ${response.status}`);
    return new Uint8Array(await response.arrayBuffer());
  } catch (cause) {
    throw new EmbedderLoadError({
      code: 'DOWNLOAD_FAILED',
      subject: url,
      expected: 'the whole file',
      received: cause instanceof Error ? cause.message : String(cause),
      remedy: 'Check the network and the address.',
      cause,
    });
  }
}
