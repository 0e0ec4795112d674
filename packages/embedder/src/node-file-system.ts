/** What the embedders need of a file system. */
export interface NodeFileSystem {
  resolve(path: string): string;
  exists(path: string): Promise<boolean>;
  readFile(path: string): Promise<Uint8Array>;
  /** Size of a file in bytes. */
  sizeSync(path: string): number;
  /** Bytes of a file from `start` on, fewer than `length` when it ends before. */
  readRangeSync(path: string, start: number, length: number): Uint8Array;
  /** Writes a file so that readers see all of it or none; makes its folder. */
  writeWhole(path: string, bytes: Uint8Array): Promise<void>;
}

interface FileModule {
  readFile(path: string): Promise<Uint8Array>;
  writeFile(path: string, data: Uint8Array): Promise<void>;
  mkdir(path: string, options: { recursive: true }): Promise<unknown>;
  rename(from: string, to: string): Promise<void>;
  rm(path: string, options: { force: true }): Promise<void>;
  stat(path: string): Promise<unknown>;
}

interface SyncFileModule {
  openSync(path: string, flags: 'r'): number;
  readSync(handle: number, buffer: Uint8Array, offset: number, length: number, at: number): number;
  closeSync(handle: number): void;
  statSync(path: string): { readonly size: number };
}

interface PathModule {
  resolve(path: string): string;
  dirname(path: string): string;
}

interface ProcessLike {
  getBuiltinModule?(name: string): unknown;
}

/**
 * The file system under Node and Bun, undefined in a browser. Not an import, so that bundlers for
 * browsers have nothing to resolve.
 */
export function nodeFileSystem(): NodeFileSystem | undefined {
  const { process } = globalThis as { process?: ProcessLike };
  const files = process?.getBuiltinModule?.('node:fs/promises') as FileModule | undefined;
  const paths = process?.getBuiltinModule?.('node:path') as PathModule | undefined;
  const syncFiles = process?.getBuiltinModule?.('node:fs') as SyncFileModule | undefined;
  if (files === undefined || paths === undefined || syncFiles === undefined) return undefined;
  return {
    resolve: (path) => paths.resolve(path),
    readFile: (path) => files.readFile(path),
    exists: (path) =>
      files.stat(path).then(
        () => true,
        (error: { code?: string }) => {
          if (error.code === 'ENOENT' || error.code === 'ENOTDIR') return false;
          throw error;
        },
      ),
    sizeSync: (path) => syncFiles.statSync(path).size,
    readRangeSync: (path, start, length) => {
      const handle = syncFiles.openSync(path, 'r');
      try {
        const buffer = new Uint8Array(length);
        return buffer.subarray(0, syncFiles.readSync(handle, buffer, 0, length, start));
      } finally {
        syncFiles.closeSync(handle);
      }
    },
    writeWhole: async (path, bytes) => {
      const temporary = `${path}.${crypto.randomUUID()}.tmp`;
      await files.mkdir(paths.dirname(path), { recursive: true });
      try {
        await files.writeFile(temporary, bytes);
        await files.rename(temporary, path);
      } finally {
        await files.rm(temporary, { force: true });
      }
    },
  };
}
