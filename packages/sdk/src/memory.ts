export {
  type DurableMemory,
  type EmbeddingSpace,
  exportMemory,
  type MemoryErrorCode,
  type MemoryOptions,
  MemoryStoreError,
  type MemoryWarning,
  openMemory,
  readTransfer,
  type StoredEntry,
  type Transfer,
} from '@kp/memory';
