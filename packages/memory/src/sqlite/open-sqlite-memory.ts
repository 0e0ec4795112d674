import { open, stat } from 'node:fs/promises';
import {
  assertType,
  codeOf,
  loadSqlite,
  messageOf,
  nextTask,
  type SqliteDatabase,
  sqliteFailure,
} from '@kp/foundation';
import type { DurableMemory } from '../log/durable-memory.ts';
import { MemoryStoreError } from '../log/errors.ts';
import { createKeyHash } from '../log/key-hash.ts';
import { TransientError } from '../log/log.ts';
import { openLogMemory } from '../log/log-memory.ts';
import { type MemoryOptions, resolveOptions } from '../log/options.ts';
import { retryTransient } from '../log/retry-transient.ts';
import { type FileSystemType, refuseNetworkDrive } from './network-drive.ts';
import { SqliteLog } from './sqlite-log.ts';
import { checkTables, migrate, openNamespace, tablesOfMemory } from './sqlite-schema.ts';

/** Options of a memory in a SQLite file. */
export interface SqliteMemoryOptions extends MemoryOptions {
  /**
   * `normal`: acknowledged entries survive a kill of the process; a power cut may lose the last
   * ones. `full`: they survive a power cut too, which takes about ten times as long. Default
   * `normal`.
   */
  readonly synchronous?: 'normal' | 'full';
  /** The current time in milliseconds since 1970. Default `Date.now`. */
  readonly now?: () => number;
  /** For tests: returns the type of the file system of a folder. */
  readonly fileSystemType?: FileSystemType;
}

/**
 * Opens a memory in a SQLite file, which the processes of one machine can share. Creates the file
 * if there is none; only its owner may read it.
 *
 * @param path - path of the file.
 * @throws `MemoryStoreError` when the file is not a memory, is damaged, was written by a later
 * version or another embedder, is on a network drive, or cannot be opened.
 */
export async function openSqliteMemory(
  path: string,
  options: SqliteMemoryOptions = {},
): Promise<DurableMemory> {
  assertType('path', 'a string', path);
  const resolved = resolveOptions(options);
  await refuseNetworkDrive(path, options.fileSystemType);
  const openDatabase = loadSqlite('SQLite memories');
  if ((await checkFile(path, resolved.embedder !== undefined)) === 'new') {
    await createPrivateFile(path);
  }
  const explain = (error: unknown): Error => explainFailure(path, error);
  let database: SqliteDatabase;
  // Loading, opening and reading block for some milliseconds each.
  await nextTask();
  try {
    database = openDatabase(path);
  } catch (error) {
    throw explain(error);
  }
  let log: SqliteLog;
  try {
    const synchronous = options.synchronous === 'full' ? 'FULL' : 'NORMAL';
    const keyCheck = createKeyHash(resolved.hashKeys).check;
    const tables = await tablesOfMemory(openDatabase);
    log = await retryTransient('sqlite', resolved, async () => {
      try {
        const check = () => checkTables(database, path, resolved, tables);
        const enter = () => openNamespace(database, resolved, keyCheck);
        const space = await prepare(database, path, synchronous, check, enter);
        await nextTask();
        return new SqliteLog(database, space, options.now ?? Date.now, explain);
      } catch (error) {
        if (sqliteFailure(error) !== 'busy') throw explain(error);
        throw new TransientError('another process holds the file', { cause: error });
      }
    });
  } catch (error) {
    database.close();
    throw error;
  }
  return openLogMemory(log, resolved);
}

async function prepare<T>(
  database: SqliteDatabase,
  path: string,
  synchronous: string,
  check: () => void,
  enter: () => T,
): Promise<T> {
  // Fails at once while another process has the file: this package waits, and by the event loop.
  database.exec('PRAGMA busy_timeout = 0');
  // Before anything is written: it may be the file of another.
  check();
  // Of a new file: five rows of 384 dimensions a page take a fifth less than two in half of one.
  database.exec('PRAGMA page_size = 8192');
  database.prepare('PRAGMA journal_mode = WAL').get();
  // In pages: carrying over what was written holds the event loop.
  database.exec('PRAGMA wal_autocheckpoint = 250');
  database.exec(`PRAGMA synchronous = ${synchronous}`);
  database.exec('PRAGMA secure_delete = ON');
  database.exec('BEGIN IMMEDIATE');
  try {
    await migrate(database, path);
    check();
    const entered = enter();
    database.exec('COMMIT');
    return entered;
  } catch (error) {
    try {
      database.exec('ROLLBACK');
    } catch {
      // Rolled back already; the first error is the one to tell of.
    }
    throw error;
  }
}

const SNAPSHOT_MAGIC = 'KPVCACHE';

/**
 * Refuses what SQLite would not: a snapshot of a `VectorCache`, whose contents can be had another
 * way, and a file that is not there when none is to be made.
 */
async function checkFile(path: string, mayMake: boolean): Promise<'new' | 'there'> {
  const start = await startOf(path);
  // SQLite takes a file of one byte for an empty one.
  if (start === undefined || start.length < 2) {
    if (mayMake) return start === undefined ? 'new' : 'there';
    throw new MemoryStoreError({
      code: 'MEMORY_LOCATION',
      subject: path,
      expected: 'an existing memory',
      received: start === undefined ? 'a missing or unreadable file' : 'an empty file',
      remedy: 'name an embedder to create it',
    });
  }
  if (start !== SNAPSHOT_MAGIC) return 'there';
  throw new MemoryStoreError({
    code: 'MEMORY_LOCATION',
    subject: path,
    expected: 'a SQLite memory, or a new file',
    received: 'a snapshot of a VectorCache',
    remedy: `import it into a new one: kp memory import seen.db ${path}`,
  });
}

/**
 * Makes an empty file for SQLite, which would let everybody read it. The files beside it, `-wal` and
 * `-shm`, get its permissions.
 */
async function createPrivateFile(path: string): Promise<void> {
  try {
    await (await open(path, 'wx', 0o600)).close();
  } catch (cause) {
    // Another process has just made it. What else is wrong SQLite says in a moment.
    if (codeOf(cause) !== 'EEXIST' || (await stat(path).catch(() => undefined))) return;
    throw new MemoryStoreError({
      code: 'MEMORY_LOCATION',
      subject: path,
      expected: 'a file, or no entry of that name',
      received: 'a link to a file that does not exist',
      remedy: 'remove the link, or create its target',
      cause,
    });
  }
}

/** The first bytes of a file; undefined when there is none. */
async function startOf(path: string): Promise<string | undefined> {
  const file = await open(path, 'r').catch(() => undefined);
  try {
    const read = await file?.read(Buffer.alloc(SNAPSHOT_MAGIC.length), 0, undefined, 0);
    return read?.buffer.toString('latin1', 0, read.bytesRead);
  } catch {
    // A folder, or no right to read: opening it says so.
    return 'unknown';
  } finally {
    await file?.close();
  }
}

function explainFailure(path: string, error: unknown): Error {
  if (error instanceof MemoryStoreError || error instanceof TransientError) return error;
  const facts = { subject: path, received: messageOf(error), cause: error };
  switch (sqliteFailure(error)) {
    case 'full':
      return new MemoryStoreError({
        ...facts,
        code: 'MEMORY_FULL',
        expected: 'room on the disk',
        remedy: 'make room; nothing was lost, and nothing of this call was remembered',
      });
    case 'damaged':
      return new MemoryStoreError({
        ...facts,
        code: 'MEMORY_DAMAGED',
        expected: 'a sound SQLite file',
        remedy: 'the file was not changed; restore a backup, or name another file',
      });
    default:
      return new MemoryStoreError({
        ...facts,
        code: 'MEMORY_UNAVAILABLE',
        expected: 'a readable and writable file in an existing folder',
        remedy: 'check its path, owner and disk',
      });
  }
}
