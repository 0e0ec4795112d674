import { open, readdir } from 'node:fs/promises';
import { join } from 'node:path';

const CHUNK_BYTES = 2 ** 20;

/** Returns whether a file contains a text in UTF-8; false for a missing file. */
export async function fileContains(path: string, text: string): Promise<boolean> {
  const wanted = Buffer.from(text);
  const file = await open(path, 'r').catch(() => undefined);
  if (file === undefined) return false;
  try {
    const buffer = Buffer.alloc(CHUNK_BYTES + wanted.length);
    for (let kept = 0; ; ) {
      const { bytesRead } = await file.read(buffer, kept, CHUNK_BYTES);
      if (bytesRead === 0) return false;
      const filled = buffer.subarray(0, kept + bytesRead);
      if (filled.includes(wanted)) return true;
      // The text may continue in the next chunk.
      kept = Math.min(filled.length, wanted.length - 1);
      filled.copyWithin(0, filled.length - kept);
    }
  } finally {
    await file.close();
  }
}

/** Returns the files in a folder and its subfolders that contain a text. */
export async function filesContaining(folder: string, text: string): Promise<string[]> {
  const found: string[] = [];
  for (const entry of await readdir(folder, { recursive: true, withFileTypes: true })) {
    const path = join(entry.parentPath, entry.name);
    if (entry.isFile() && (await fileContains(path, text))) found.push(path);
  }
  return found;
}
