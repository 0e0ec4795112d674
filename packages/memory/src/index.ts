export { fromVectorStore, type VectorStore } from './from-vector-store.ts';
export type { DurableMemory } from './log/durable-memory.ts';
export { type MemoryErrorCode, MemoryStoreError } from './log/errors.ts';
export type { ByteSearch, Erasure, MemoryCheck, NewEntry, StoredEntry } from './log/log.ts';
export type { MemoryStore, NamespaceFacts } from './log/memory-store.ts';
export type { EmbeddingSpace, MemoryIndex, MemoryOptions, MemoryWarning } from './log/options.ts';
export { openMemory, openMemoryStore } from './open-memory.ts';
export { openShardedMemory, type ShardLocation } from './open-sharded-memory.ts';
export { exportMemory, readTransfer, type Transfer, type TransferOptions } from './transfer.ts';
