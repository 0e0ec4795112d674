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
import type { ByteSearch, Erasure, MemoryCheck, StoredEntry } from './log.ts';

/** A memory that lasts. All of what `NoveltyMemory` leaves open is there. */
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
   * Like {@link erase}; resolves to whether the key was remembered.
   *
   * @param key - key of the entries to erase.
   */
  forget(key: string, options?: MemoryCallOptions): Promise<boolean>;
  /**
   * Erases the entries of a key, and tells whether their bytes are gone from the files of the store.
   * Can be repeated: a repeated call finishes what an earlier one could not.
   *
   * @param key - key of the entries to erase.
   */
  erase(key: string, options?: MemoryCallOptions): Promise<Erasure>;
  /**
   * Erases the traces that were not remembered again for that time. Unlike {@link erase} it does not
   * remove their bytes from the files at once.
   *
   * @param options - `olderThanMs`: milliseconds above 0; `dryRun`: only counts them.
   * @returns the number of traces.
   */
  prune(options: { readonly olderThanMs: number; readonly dryRun?: boolean }): Promise<number>;
  ready(): Promise<void>;
  /** Waits for what is under way, and lets go of the store. */
  close(): Promise<void>;
  /** What it holds, and what its store says of itself. */
  stats(): Promise<MemoryStats>;
  /**
   * Remembers without comparing, which is quick: for what was remembered elsewhere before. What
   * has a key that is there already takes its place.
   *
   * @param entries - in their order.
   */
  addAll(entries: readonly Pick<StoredEntry, 'key' | 'vector'>[]): Promise<void>;
  /**
   * The key as the store has it, and as {@link entries} gives it: hashed if `hashKeys` is set.
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
