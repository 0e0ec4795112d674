export type { DurableMemory } from '../log/durable-memory.ts';
export type { MemoryStore, NamespaceFacts } from '../log/memory-store.ts';
export { type MigrationOptions, migratePostgresMemory } from './migrate-postgres-memory.ts';
export { openPostgresMemory } from './open-postgres-memory.ts';
export { openPostgresStore } from './open-postgres-store.ts';
export type { PostgresClient, PostgresPool } from './postgres-client.ts';
