import { once } from 'node:events';
import { open, realpath, rename, rm, stat } from 'node:fs/promises';
import { basename, dirname } from 'node:path';
import type { Writable } from 'node:stream';
import { setImmediate } from 'node:timers/promises';
import { removeAbandoned } from './abandoned.ts';
import { OutputError, UsageError } from './exit.ts';

/** Where results go. */
export interface Output {
  /**
   * Resolves when the reader keeps up; does nothing once it has gone.
   *
   * @throws {@link OutputError} when nothing more can be written, as on a full disk.
   */
  write(text: string): Promise<void>;
  /**
   * Resolves when it is known what became of all that was written.
   *
   * @throws {@link OutputError} as `write` does.
   */
  settle(): Promise<void>;
  /** Aborted when the reader has gone, as `head` does when it has seen enough. */
  readonly closed: AbortSignal;
}

/** Writes to a stream that may be a pipe which its reader closes early, or a disk that is full. */
export function createOutput(stream: Writable): Output {
  const reader = new AbortController();
  const ended = new AbortController();
  let failure: OutputError | undefined;
  stream.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code === 'EPIPE' || error.code === 'ERR_STREAM_DESTROYED') reader.abort();
    else failure ??= notWritten('standard output', error);
    ended.abort();
  });
  return {
    closed: reader.signal,
    async write(text) {
      if (failure !== undefined) throw failure;
      if (reader.signal.aborted || stream.write(text)) return;
      // A stream that has failed never drains.
      await once(stream, 'drain', { signal: ended.signal }).catch((error: unknown) => {
        if (!ended.signal.aborted) throw error;
      });
      if (failure !== undefined) throw failure;
    },
    async settle() {
      // A stream tells of a failure only in a later turn of the event loop.
      await setImmediate();
      if (failure !== undefined) throw failure;
    },
  };
}

/** A file that appears whole or not at all. */
export interface WholeFile {
  write(chunk: string | Uint8Array): Promise<void>;
  /** Puts the file in its place, in one step. */
  keep(): Promise<void>;
  /** Leaves no trace of it; does nothing once it is kept. */
  discard(): Promise<void>;
}

/**
 * Begins a file that takes the place of what is at `path` only when it is complete: whatever
 * happens before, the old file stays as it is. A link stays one: what it names is replaced. A device or
 * a pipe, such as `/dev/null` or `/dev/stdout`, is written to as it is. What a process that was killed
 * began at the same place is taken away.
 *
 * @param option - what the user called it, for messages: `-o`, `--memory`.
 * @throws {@link UsageError} when there is no such folder, or it may not be written to.
 */
export async function createWholeFile(path: string, option: string): Promise<WholeFile> {
  await checkWritable(path, option);
  const isInPlace = await isDevice(path);
  const target = isInPlace ? path : await realpath(path).catch(() => path);
  const opened = isInPlace ? target : `${target}.${process.pid}.new`;
  if (!isInPlace) await removeAbandoned(dirname(target), `${basename(target)}.`, /^(\d+)\.new$/);
  const file = await open(opened, 'w').catch((error: Error) => {
    throw new UsageError(`${option} ${path}: ${reasonOf(error)}`);
  });
  let unfinished = true;
  async function discard(): Promise<void> {
    if (!unfinished) return;
    unfinished = false;
    await file.close().catch(() => undefined);
    if (!isInPlace) await rm(opened, { force: true });
  }
  async function attempt(work: () => Promise<unknown>): Promise<void> {
    try {
      await work();
    } catch (error) {
      await discard();
      throw notWritten(`${option} ${path}`, error as Error);
    }
  }
  return {
    write: (chunk) => attempt(() => file.writeFile(chunk)),
    keep: () =>
      attempt(async () => {
        if (!isInPlace) await file.sync();
        await file.close();
        if (!isInPlace) await rename(opened, target);
        unfinished = false;
      }),
    discard,
  };
}

async function isDevice(path: string): Promise<boolean> {
  const there = await stat(path).catch(() => undefined);
  return there !== undefined && !there.isFile();
}

/**
 * Writes a file that appears whole or not at all; see {@link createWholeFile}.
 *
 * @throws the signal's reason when it is aborted before the file is in its place.
 */
export async function writeWholeFile(
  path: string,
  option: string,
  content: string | Uint8Array,
  signal?: AbortSignal,
): Promise<void> {
  const file = await createWholeFile(path, option);
  try {
    await file.write(content);
    signal?.throwIfAborted();
    await file.keep();
  } finally {
    await file.discard();
  }
}

/**
 * Says before any work whether a file can be written there.
 *
 * @throws {@link UsageError} when its folder is not there, or a folder is in its place.
 */
export async function checkWritable(path: string, option: string): Promise<void> {
  const folder = await stat(dirname(path)).catch(() => undefined);
  if (folder?.isDirectory() !== true) {
    throw new UsageError(
      `${option} ${path}: expected a folder ${dirname(path)} to write it in, received none of that name`,
    );
  }
  const there = await stat(path).catch(() => undefined);
  if (there?.isDirectory() === true) {
    throw new UsageError(`${option} ${path}: expected the name of a file, received a folder`);
  }
}

/** What cannot be written, and why, in words that a person can act on. */
export function notWritten(what: string, error: Error): OutputError {
  return new OutputError(`${what}: could not be written: ${reasonOf(error)}`, { cause: error });
}

function reasonOf(error: NodeJS.ErrnoException): string {
  switch (error.code) {
    case 'EFBIG':
      return 'expected leave to write so large a file, received none';
    case 'EDQUOT':
    case 'ENOSPC':
      return 'expected space on the device, received none left';
    case 'EACCES':
    case 'EPERM':
    case 'EROFS':
      return 'expected a place that may be written to, received one without permission to';
    default:
      return error.message;
  }
}
