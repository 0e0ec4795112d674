import { link, mkdir, open, readdir, rm } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { codeOf, createWholeFile as createTemporary } from '@kp/foundation';
import { wrongUse } from '../output/errors.ts';
import { createWholeFile, notWritten } from '../output/output.ts';
import { notRead } from '../runs/named-files.ts';
import type { Store, StoredObject } from './store.ts';

/**
 * Opens a folder as a store; creates the folder. Objects appear by rename, so that a killed process
 * leaves at most a temporary file, which a later process removes.
 *
 * @throws UsageError if there is a file in its place, and OutputError if it cannot be created.
 */
export async function openFolderStore(folder: string): Promise<Store> {
  await mkdir(folder, { recursive: true }).catch((error: Error) => {
    if (codeOf(error) === 'EEXIST') throw wrongUse(folder, 'the name of a folder', 'a file');
    throw notWritten(folder, error);
  });
  return folderStore(folder);
}

/** Opens a folder that exists as a store. */
export function folderStore(folder: string): Store {
  return {
    location: folder,
    open: (name) => openObject(join(folder, name)),
    begin: async (name) => ({ ...(await createWholeFile(join(folder, name), '-o')), name }),
    async create(name, content) {
      const path = join(folder, name);
      // Complete the file under another name before it gets its own; `link` never replaces a file.
      const file = await createTemporary(`${path}.new`).catch((error: Error) => {
        throw notWritten(path, error);
      });
      try {
        await file.write(content);
        if (content !== '') await flush(file.temporaryPath);
        await link(file.temporaryPath, path);
        return true;
      } catch (error) {
        if (codeOf(error) === 'EEXIST') return false;
        throw notWritten(path, error as Error);
      } finally {
        await file.discard();
      }
    },
    async list() {
      const names = await readdir(folder).catch((error: unknown) => {
        throw notRead(folder, error);
      });
      return names.filter((name) => !name.startsWith('.'));
    },
  };
}

/** Waits until a file is on the disk: after a power failure, its name could otherwise lead to an empty one. */
async function flush(path: string): Promise<void> {
  const file = await open(path, 'r+');
  try {
    await file.sync();
  } finally {
    await file.close();
  }
}

async function openObject(path: string): Promise<StoredObject | undefined> {
  const file = await open(path).catch((error: unknown) => {
    if (codeOf(error) === 'ENOENT') return undefined;
    throw notRead(path, error);
  });
  if (file === undefined) return undefined;
  const { size } = await file.stat();
  return {
    name: basename(path),
    byteLength: size,
    async slice(start, end = size) {
      const bytes = new Uint8Array(Math.max(0, Math.min(end, size) - start));
      for (let read = 0; read < bytes.length; ) {
        const part = await file.read(bytes, read, bytes.length - read, start + read);
        if (part.bytesRead === 0) break;
        read += part.bytesRead;
      }
      return bytes.buffer;
    },
    close: () => file.close(),
  };
}

/** Removes a folder with all objects. */
export async function removeFolder(folder: string): Promise<void> {
  await rm(folder, { recursive: true, force: true });
}
