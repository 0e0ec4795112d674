import type { NearestTrace } from '../formula/score-report.ts';

/** An entry for a memory to compare and then remember. */
export interface MemoryEntry {
  /** A vector of length 1. The memory must copy it, because the caller may reuse it. */
  readonly vector: Float32Array;
  /** The id of the trace. */
  readonly key: string;
  /**
   * A UUID unique to this evaluation. If an answer was lost and the call is repeated, the memory can
   * recognise the entry and remember it only once.
   */
  readonly operationId: string;
}

/** The answer of a memory to one {@link MemoryEntry}. */
export interface MemoryAnswer {
  /** The most similar of all earlier entries; undefined if there are none. */
  readonly nearest?: NearestTrace;
  /** Number of entries it was compared with. */
  readonly comparedWith?: number;
}

/**
 * What happens to an entry whose key is already remembered. `compare`: both are kept, so a repeat is
 * compared with the first entry. `replace`: the old entry is removed before the comparison. A memory
 * that keeps an order puts the new entry in the old place and compares it only with entries before
 * that place, so a retry or a second run over the same traces changes no score.
 */
export type SameId = 'compare' | 'replace';

/** Options of every call. */
export interface MemoryCallOptions {
  /**
   * Aborted after the scorer's `operationTimeoutMs`, when the scorer stops waiting for the answer.
   * Not aborted at the end of an evaluation's budget: late traces are still remembered.
   */
  readonly signal?: AbortSignal;
}

/** Options of `nearest`. */
export interface NearestOptions extends MemoryCallOptions {
  /** The memory may ignore entries less similar than this. */
  readonly floor?: number;
}

/** Options of `compareAndRemember`. */
export interface CompareAndRememberOptions extends MemoryCallOptions {
  /** Default `compare`. */
  readonly sameId?: SameId;
}

/** Facts about a memory, as plain JSON. */
export interface MemoryStats {
  /** `sqlite`, `postgres`, `redis` … */
  readonly engine: string;
  /** Number of remembered traces. */
  readonly entries: number;
  /** Length of every vector. */
  readonly dimensions: number;
  /** The id of the embedder whose vectors it contains. */
  readonly embedderId?: string;
  /** The part of its store that it uses. */
  readonly namespace?: string;
  readonly [further: string]: unknown;
}

/**
 * The interface of a memory for a scorer: a `VectorCache`, or a durable or shared store. Methods
 * may return a value or a promise. The scorer calls them in the order in which it received the
 * traces, and waits for each call before the next. It runs comparisons concurrently only if nothing
 * is remembered between them.
 */
export interface NoveltyMemory {
  /** If set, checked against the embedder's. */
  readonly dimensions?: number;
  /** The id of the embedder whose vectors it contains. If set, the scorer checks it. */
  readonly embedderId?: string;
  /** Number of remembered traces. */
  readonly size?: number | Promise<number>;
  /**
   * The most similar remembered trace; undefined if none is remembered.
   *
   * @param vector - of length 1.
   */
  nearest(
    vector: Float32Array,
    options?: NearestOptions,
  ): NearestTrace | undefined | Promise<NearestTrace | undefined>;
  /**
   * Keeps a copy of the vector.
   *
   * @param vector - of length 1.
   * @param key - the trace's id.
   */
  add(vector: Float32Array, key: string, options?: MemoryCallOptions): void | Promise<void>;
  /**
   * Compares each entry with all earlier ones, including those of the same call, then remembers it.
   * Returns one answer per entry, in order. Atomic with regard to all other writers. If it exists,
   * the scorer uses it instead of `nearest` and `add`.
   *
   * If it cannot keep one of the entries, it must keep none and reject with an error with the code
   * `MEMORY_ENTRY_INVALID`; the scorer then offers the others again.
   *
   * @param entries - in the order in which they are compared and remembered.
   */
  compareAndRemember?(
    entries: readonly MemoryEntry[],
    options?: CompareAndRememberOptions,
  ): readonly MemoryAnswer[] | Promise<readonly MemoryAnswer[]>;
  /**
   * Removes the entries of a key. Returns whether there were any.
   *
   * @param key - the trace's id.
   */
  forget?(key: string, options?: MemoryCallOptions): boolean | Promise<boolean>;
  /** Resolves when the memory can answer. */
  ready?(): void | Promise<void>;
  /** Releases its resources. The scorer never calls it. */
  close?(): void | Promise<void>;
  /** Facts about the memory, for display. */
  stats?(): MemoryStats | Promise<MemoryStats>;
}
