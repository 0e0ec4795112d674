import { rename, rm, stat } from 'node:fs/promises';
import { messageOf } from '@kp/foundation';
import { MemoryStoreError } from '../log/errors.ts';
import { loadSqlite } from './sqlite-database.ts';

/**
 * Copies a SQLite memory to a new file while other processes use it. The copy is as of one moment,
 * and appears under its name only when it is complete.
 *
 * @param path - file of the memory.
 * @param target - file that does not exist yet.
 * @throws `MemoryStoreError`
 */
export async function backupSqliteMemory(path: string, target: string): Promise<void> {
  for (const [file, expected] of [
    [path, true],
    [target, false],
  ] as const) {
    const exists = await stat(file).then(
      () => true,
      () => false,
    );
    if (exists === expected) continue;
    throw new MemoryStoreError({
      code: 'MEMORY_LOCATION',
      subject: file,
      expected: expected ? 'an existing file' : 'a file that does not exist yet',
      received: expected ? 'none' : 'an existing file',
    });
  }
  const database = (await loadSqlite())(path);
  const partial = `${target}.${process.pid}.partial`;
  try {
    database.exec('PRAGMA busy_timeout = 5000');
    // An online backup: https://sqlite.org/lang_vacuum.html, section "VACUUM with an INTO clause".
    database.prepare('VACUUM INTO ?').run(partial);
    await rename(partial, target);
  } catch (cause) {
    throw new MemoryStoreError({
      code: 'MEMORY_UNAVAILABLE',
      subject: path,
      expected: `a SQLite memory that can be copied to ${target}`,
      received: messageOf(cause),
      cause,
    });
  } finally {
    database.close();
    await rm(partial, { force: true });
  }
}
