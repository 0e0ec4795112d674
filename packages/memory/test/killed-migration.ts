import { statSync } from 'node:fs';
import { openTest } from './load.ts';

/**
 * Opens a SQLite memory of an earlier version, and is killed when part of the migration is on disk.
 */
const file = process.argv[2] ?? '';
const watch = (): void => {
  const { size } = statSync(`${file}-wal`, { throwIfNoEntry: false }) ?? { size: 0 };
  if (size > 1_000_000) process.kill(process.pid, 'SIGKILL');
  setImmediate(watch);
};
watch();
await openTest(file);
