export type { DurableMemory } from '../log/durable-memory.ts';
export type { MemoryStore, NamespaceFacts } from '../log/memory-store.ts';
export { openRedisMemory } from './open-redis-memory.ts';
export { openRedisStore } from './open-redis-store.ts';
