import { randomUUID } from 'node:crypto';
import { readdir, readFile, rename, writeFile } from 'node:fs/promises';
import { hostname } from 'node:os';
import { dirname, join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { codeOf, processMark } from '@kp/foundation';
import { type UsageError, wrongUse } from '../output/errors.ts';
import { notWritten } from '../output/output.ts';
import { notRead } from '../runs/inputs.ts';
import { openFolderStore } from './folder-store.ts';
import { lockName, lockNumber, removeObjects, removeOwnFolder } from './own-files.ts';

/** The right of one run to use a folder, and to remove it. */
export interface RunLock {
  /**
   * Removes what kp wrote to the folder, and the folder if nothing else is in it.
   *
   * @returns the names of files that kp did not write, which stay.
   */
  removeFolder(): Promise<readonly string[]>;
  /** Leaves the folder to the next run; does nothing once it is removed. */
  release(): Promise<void>;
}

interface LockTimes {
  /** Milliseconds between two changes of a lock by its run. */
  readonly heartbeatMs: number;
  /** Milliseconds without a change after which the run of a lock counts as killed. */
  readonly timeoutMs: number;
}

interface LockContent {
  readonly process: number;
  readonly host: string;
  readonly beats: number;
  readonly hasEnded?: true;
}

const TIMES: LockTimes = { heartbeatMs: 500, timeoutMs: 5_000 };

/**
 * Locks a folder, which is created, for this run.
 *
 * A run changes its lock regularly, so a lock that does not change is from a run that was killed, on
 * any machine and in any container. Locks are numbered, and none is removed before the folder: the next run
 * creates the lock with the next number, in which only one process can succeed.
 *
 * @throws UsageError if another run uses the folder.
 */
export async function lockFolder(
  folder: string,
  signal: AbortSignal,
  times: LockTimes = TIMES,
): Promise<RunLock> {
  for (;;) {
    await openFolderStore(folder);
    const last = await lastLock(folder);
    if (last > 0) await waitUntilGone(folder, lockName(last), signal, times);
    const path = join(folder, lockName(last + 1));
    if (await create(path)) return keepLock(folder, path, times.heartbeatMs);
  }
}

/** Returns the number of the last lock; 0 if there is none. */
async function lastLock(folder: string): Promise<number> {
  const names = await readdir(folder).catch((error: unknown) => {
    // The run that used the folder may have removed it.
    if (codeOf(error) === 'ENOENT') return [];
    throw notRead(folder, error);
  });
  return Math.max(0, ...names.map(lockNumber));
}

/** @returns false if another run has created the file, or removed the folder. */
async function create(path: string): Promise<boolean> {
  try {
    await writeFile(path, '', { flag: 'wx' });
    return true;
  } catch (error) {
    if (['EEXIST', 'ENOENT'].includes(codeOf(error) ?? '')) return false;
    throw notWritten(path, error as Error);
  }
}

/** @throws UsageError if the lock changes. */
async function waitUntilGone(
  folder: string,
  name: string,
  signal: AbortSignal,
  { heartbeatMs, timeoutMs }: LockTimes,
): Promise<void> {
  const read = (): Promise<string | undefined> =>
    readFile(join(folder, name), 'utf8').catch(() => undefined);
  const before = await read();
  const deadline = performance.now() + timeoutMs;
  for (let now = before; now !== undefined; now = await read()) {
    const content = parse(now);
    if (content?.hasEnded === true) return;
    if (now !== before && content !== undefined) throw inUse(folder, content);
    if (performance.now() > deadline) return;
    await setTimeout(heartbeatMs, undefined, { signal }).catch(() => undefined);
    signal.throwIfAborted();
  }
}

function parse(text: string): LockContent | undefined {
  try {
    return JSON.parse(text) as LockContent;
  } catch {
    return undefined;
  }
}

function inUse(folder: string, { process: id, host }: LockContent): UsageError {
  return wrongUse(
    folder,
    'a folder that no other kp corpus run uses',
    `one that the process ${id} on ${host} uses`,
    'wait until it ends, or choose another -o',
  );
}

function keepLock(folder: string, path: string, heartbeatMs: number): RunLock {
  let beats = 0;
  let isHeld = true;
  let written = Promise.resolve();
  /** Writes the next content, which is at least as long as the one before and so replaces all of it. */
  const write = (end: Pick<LockContent, 'hasEnded'> = {}): void => {
    const content: LockContent = { process: process.pid, host: hostname(), beats, ...end };
    beats++;
    // Opens the file each time, because other machines see what was written once it is closed. If this
    // fails, the run fails too, or others consider it killed.
    written = written
      .then(() => writeFile(path, JSON.stringify(content), { flag: 'r+' }))
      .catch(() => undefined);
  };
  const timer = setInterval(write, heartbeatMs);
  timer.unref();
  write();
  const end = async (): Promise<void> => {
    isHeld = false;
    clearInterval(timer);
    await written;
  };
  const release = async (): Promise<void> => {
    if (!isHeld) return;
    write({ hasEnded: true });
    await end();
  };
  return {
    release,
    async removeFolder() {
      const foreign = await removeObjects(folder);
      // The locks stay, so that runs that wait for one of them still agree on the next number.
      if (foreign.length > 0) {
        await release();
        return foreign;
      }
      await end();
      // Another run may create the folder again before all files are removed. A later kp removes what
      // a killed process leaves.
      const random = randomUUID().replaceAll('-', '');
      const aside = join(dirname(folder), `.kp-${processMark()}-${random}.removed`);
      const isAside = await rename(folder, aside).then(
        () => true,
        () => false,
      );
      return removeOwnFolder(isAside ? aside : folder, folder);
    },
  };
}
