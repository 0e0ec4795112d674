import type {
  CompareAndRememberOptions,
  MemoryAnswer,
  MemoryCallOptions,
  MemoryEntry,
  MemoryStats,
  NearestOptions,
  NearestTrace,
  NoveltyMemory,
} from '@kp/scoring';
import type { ByteSearch, Erasure, MemoryCheck, NewEntry, StoredEntry } from './log.ts';

/** A memory in a store. It has all optional methods of `NoveltyMemory`. */
export interface DurableMemory extends NoveltyMemory {
  readonly dimensions: number;
  readonly embedderId: string;
  /** The namespace within the store. */
  readonly namespace: string;
  readonly size: Promise<number>;
  nearest(vector: Float32Array, options?: NearestOptions): Promise<NearestTrace | undefined>;
  add(vector: Float32Array, key: string, options?: MemoryCallOptions): Promise<void>;
  compareAndRemember(
    entries: readonly MemoryEntry[],
    options?: CompareAndRememberOptions,
  ): Promise<readonly MemoryAnswer[]>;
  /**
   * Like {@link erase}, but resolves to whether the key was remembered.
   *
   * @param key - key of the entries to erase.
   */
  forget(key: string, options?: MemoryCallOptions): Promise<boolean>;
  /**
   * Erases the entries of a key, and reports whether their bytes are gone from the files of the
   * store. A repeated call finishes what an earlier one could not.
   *
   * @param key - key of the entries to erase.
   */
  erase(key: string, options?: MemoryCallOptions): Promise<Erasure>;
  /**
   * Erases entries that were neither added nor changed for a time. With `sameId: 'replace'`, a trace
   * that is remembered again with the same vector is not changed. Unlike {@link erase}, it may leave
   * their bytes in the files of the store.
   *
   * @param options - `olderThanMs`: age in milliseconds, above 0; `dryRun`: only count.
   * @returns number of traces.
   */
  prune(options: { readonly olderThanMs: number; readonly dryRun?: boolean }): Promise<number>;
  ready(): Promise<void>;
  /** Waits for pending calls and closes the store. */
  close(): Promise<void>;
  /** Size and settings of the memory, and facts about its store. */
  stats(): Promise<MemoryStats>;
  /**
   * Remembers entries without comparing them, for example to import a memory. Replaces entries with
   * the same key. The key of an entry with `hashedWith`, as `entries` and `readTransfer` return it, is
   * not hashed again.
   *
   * @param entries - oldest first.
   * @throws `MemoryStoreError` `MEMORY_MISMATCH` if a key is hashed with another secret than
   * `hashKeys`.
   */
  addAll(entries: readonly NewEntry[]): Promise<void>;
  /**
   * The key as it is in the store and in {@link entries}: hashed if `hashKeys` is set.
   *
   * @param key - id of a trace.
   */
  storedKey(key: string): string;
  /** All entries, oldest first. */
  entries(): AsyncIterable<StoredEntry>;
  /** Checks the store and reads all entries, like `PRAGMA integrity_check` of SQLite. */
  verify(): Promise<MemoryCheck>;
  /**
   * Looks for the bytes of a key in the files of the store, for instance after {@link erase}.
   *
   * @param key - the text to look for.
   */
  findBytes(key: string): Promise<ByteSearch>;
}
