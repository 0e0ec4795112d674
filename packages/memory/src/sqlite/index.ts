export type { DurableMemory } from '../log/log-memory.ts';
export { backupSqliteMemory } from './backup-sqlite-memory.ts';
export { openSqliteMemory, type SqliteMemoryOptions } from './open-sqlite-memory.ts';
