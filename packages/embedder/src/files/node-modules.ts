interface ProcessLike {
  getBuiltinModule?(name: string): unknown;
}

/**
 * A module of Node, under Node and Bun; undefined elsewhere. Not an import, so that bundlers for
 * browsers have nothing to resolve.
 */
export function nodeModule<T>(name: `node:${string}`): T | undefined {
  const { process } = globalThis as { process?: ProcessLike };
  return process?.getBuiltinModule?.(name) as T | undefined;
}

/** What the embedders need of a file system. */
export interface NodeFileSystem {
  resolve(path: string): string;
  exists(path: string): Promise<boolean>;
  readFile(path: string): Promise<Uint8Array>;
  readFileSync(path: string): Uint8Array;
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
  readFileSync(path: string): Uint8Array;
}

interface PathModule {
  resolve(path: string): string;
  dirname(path: string): string;
}

/** The file system under Node and Bun, undefined in a browser. */
export function nodeFileSystem(): NodeFileSystem | undefined {
  const files = nodeModule<FileModule>('node:fs/promises');
  const paths = nodeModule<PathModule>('node:path');
  const syncFiles = nodeModule<SyncFileModule>('node:fs');
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
    readFileSync: (path) => syncFiles.readFileSync(path),
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
