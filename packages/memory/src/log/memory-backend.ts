import type { MemoryAnswer } from '@kp/scoring';
import type {
  ByteSearch,
  Erasure,
  LogFacts,
  NamespaceSettings,
  NewRow,
  StoredEntry,
} from './log.ts';

/** One request to a memory: compare only, or compare and remember. */
export type MemoryRequest =
  | { readonly kind: 'nearest'; readonly vector: Float32Array; readonly floor?: number }
  | (NewRow & {
      /** False: remember without comparing; the answer is empty. */
      readonly compare: boolean;
    });

/**
 * Answers requests for one namespace of a store: the process from its copy of the log, or a server
 * with an index.
 */
export interface MemoryBackend {
  readonly engine: string;
  readonly space: NamespaceSettings;
  /** The number of requests that wait for an answer. */
  readonly pendingCount: number;
  request(request: MemoryRequest, signal: AbortSignal | undefined): Promise<MemoryAnswer>;
  size(): Promise<number>;
  /** Erases the entries of a key, and finishes earlier erasures. */
  erase(key: string): Promise<Erasure>;
  /**
   * Erases the entries of keys that were not remembered for a time.
   *
   * @param isDryRun - only count.
   * @returns number of keys.
   */
  prune(ageMs: number, isDryRun: boolean): Promise<number>;
  /** All entries, oldest first. */
  stored(): AsyncIterable<StoredEntry>;
  /** Returns the problems of the store; empty if it is intact. */
  check(): Promise<readonly string[]>;
  /** Looks for a key in the files of the store. */
  findBytes(key: string): Promise<ByteSearch>;
  facts(): Promise<LogFacts>;
  /** Answers pending requests, then releases the store. */
  close(): Promise<void>;
}
