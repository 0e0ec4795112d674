import { readFile } from 'node:fs/promises';
import { type Embedder, SnapshotError, VectorCache } from '@knowledgepulse/sdk';
import { UsageError } from './exit.ts';
import { describeFileError } from './inputs.ts';
import { checkWritable, writeWholeFile } from './output.ts';

const DEFAULT_SIZE = 1000;

/**
 * The memory that a file holds, or an empty one when there is no such file yet.
 *
 * @param path - undefined: a memory that no file keeps.
 * @throws {@link UsageError} when the file could not be written later, is damaged, no snapshot, or of another embedder; it is
 * then left as it is.
 */
export async function openMemory(
  embedder: Embedder,
  path: string | undefined,
  size: number | undefined,
): Promise<VectorCache> {
  const { dimensions, id: embedderId } = embedder;
  if (path !== undefined) await checkWritable(path, '--memory');
  const bytes = path === undefined ? undefined : await readIfThere(path);
  if (bytes === undefined) {
    return new VectorCache({ dimensions, embedderId, maxElements: size ?? DEFAULT_SIZE });
  }
  try {
    return VectorCache.fromBytes(bytes, {
      dimensions,
      embedderId,
      ...(size === undefined ? {} : { maxElements: size }),
    });
  } catch (error) {
    if (!(error instanceof SnapshotError)) throw error;
    throw new UsageError(
      `--memory ${path}: ${error.message}; it was left as it is: name another file, or the embedder that filled it`,
    );
  }
}

/** Replaces the file in one step: whatever happens, there is the old memory or the new one. */
export function saveMemory(memory: VectorCache, path: string): Promise<void> {
  return writeWholeFile(path, '--memory', memory.toBytes());
}

async function readIfThere(path: string): Promise<Uint8Array | undefined> {
  try {
    return await readFile(path);
  } catch (error) {
    if (Reflect.get(error as Error, 'code') === 'ENOENT') return undefined;
    throw new UsageError(`--memory ${path}: ${describeFileError(error as Error)}`);
  }
}
