import { KnowledgePulseError } from './knowledge-pulse-error.ts';
import { nodeModules } from './node-modules.ts';
import { processMark, removeAbandoned } from './temporary-names.ts';

/** A file that is published completely or not at all. */
export interface WholeFile {
  /** Path of the temporary file, for a library that writes the file itself. `keep` publishes it. */
  readonly temporaryPath: string;
  /**
   * Appends to the temporary file.
   *
   * @param chunk - bytes, or text that is written as UTF-8.
   * @throws (rejects) the error of the file system.
   */
  write(chunk: string | Uint8Array): Promise<void>;
  /** Moves the file to its place atomically. */
  keep(): Promise<void>;
  /** Removes the temporary file; does nothing once the file is kept. */
  discard(): Promise<void>;
}

/** Only the owner can read and write the file. */
const PRIVATE = 0o600;
const PERMISSIONS = 0o777;
const PREFIX = '.kp-';

/**
 * Starts a file that replaces the one at `path` only when it is complete. Until then the content is
 * in a new file with a random name in the same folder, which no link can redirect. Leftovers of
 * killed processes in that folder are removed. If `path` is a link, its target is replaced. A
 * device or a pipe, such as `/dev/null` or `/dev/stdout`, is written to directly. Node and Bun
 * only.
 *
 * @param path - file to create or replace; its folder must exist.
 * @param options - `mode`: permissions of a new file, before the umask. Default 0o600. A file that is
 *   replaced keeps its permissions.
 * @throws `KnowledgePulseError` `FOREIGN_FILE` when `path` is a file or a link of another user in a folder that
 *   everybody may write to, such as `/tmp`; otherwise the error of the file system, with its `code`.
 */
export async function createWholeFile(
  path: string,
  { mode = PRIVATE }: { readonly mode?: number } = {},
): Promise<WholeFile> {
  const { files, paths } = nodeModules();
  await refuseForeign(path);
  const there = await files.stat(path).catch(() => undefined);
  if (there !== undefined && !there.isFile()) return openDevice(path);
  const target = there === undefined ? path : await files.realpath(path);
  if (there !== undefined) {
    await refuseForeign(target);
    await files.access(target, files.constants.W_OK);
  }
  const folder = paths.dirname(target);
  await removeAbandoned(folder, PREFIX);
  const random = crypto.randomUUID().replaceAll('-', '');
  const temporaryPath = paths.join(folder, `${PREFIX}${processMark()}-${random}.new`);
  // 'wx' fails if anything with that name exists, even a dangling link.
  const file = await files.open(temporaryPath, 'wx', there === undefined ? mode : PRIVATE);
  let isOpen = true;
  async function discard(): Promise<void> {
    if (!isOpen) return;
    isOpen = false;
    await file.close().catch(() => undefined);
    await files.rm(temporaryPath, { force: true });
  }
  return {
    temporaryPath,
    write: (chunk) => file.writeFile(chunk),
    async keep() {
      try {
        const replaced = await files.stat(target).catch(() => undefined);
        if (replaced !== undefined) await file.chmod(replaced.mode & PERMISSIONS);
        await file.sync();
        await file.close();
        await files.rename(temporaryPath, target);
        isOpen = false;
      } finally {
        await discard();
      }
    },
    discard,
  };
}

async function openDevice(path: string): Promise<WholeFile> {
  const { files } = nodeModules();
  // Without O_CREAT and O_TRUNC, so that a file that replaces the device meanwhile loses nothing.
  const file = await files.open(path, files.constants.O_WRONLY);
  let isOpen = true;
  async function close(): Promise<void> {
    if (!isOpen) return;
    isOpen = false;
    await file.close();
  }
  return {
    temporaryPath: path,
    write: (chunk) => file.writeFile(chunk),
    keep: close,
    discard: close,
  };
}

const STICKY_AND_WRITABLE_BY_ALL = 0o1002;

/** The rule of Linux's `fs.protected_symlinks`, which `realpath` and `rename` bypass. */
async function refuseForeign(path: string): Promise<void> {
  const { files, paths } = nodeModules();
  const user = process.getuid?.();
  const entry = await files.lstat(path).catch(() => undefined);
  if (user === undefined || entry === undefined || entry.uid === user) return;
  const folder = await files.stat(paths.dirname(path));
  const isShared = (folder.mode & STICKY_AND_WRITABLE_BY_ALL) === STICKY_AND_WRITABLE_BY_ALL;
  if (!isShared || entry.uid === folder.uid) return;
  throw new KnowledgePulseError({
    name: 'ForeignFileError',
    code: 'FOREIGN_FILE',
    subject: path,
    expected: `a file that you own in ${paths.dirname(path)}, to which everybody may write`,
    received: `a file of the user ${entry.uid}`,
  });
}
