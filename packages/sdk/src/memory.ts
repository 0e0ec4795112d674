export {
  type DurableMemory,
  type EmbeddingSpace,
  type MemoryErrorCode,
  type MemoryOptions,
  MemoryStoreError,
  type MemoryWarning,
  openMemory,
  type StoredEntry,
} from '@kp/memory';
