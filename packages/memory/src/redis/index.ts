export type { DurableMemory } from '../log/log-memory.ts';
export { openRedisMemory } from './open-redis-memory.ts';
