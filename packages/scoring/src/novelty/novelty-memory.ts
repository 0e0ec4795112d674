import type { NearestTrace } from '../formula/score-report.ts';

/** What a memory is asked to compare and then to remember. */
export interface MemoryEntry {
  /** Of length 1; to be copied. */
  readonly vector: Float32Array;
  /** The trace's id. */
  readonly key: string;
  /**
   * Unique to this evaluation (a UUID): a memory that is asked again, because its answer was lost,
   * recognises the entry by it and remembers it once.
   */
  readonly operationId: string;
}

/** What a memory answers for one {@link MemoryEntry}. */
export interface MemoryAnswer {
  /** The most similar of all entries before this one; undefined when there was none. */
  readonly nearest?: NearestTrace;
  /** How many entries it was compared with. */
  readonly comparedWith?: number;
}

/**
 * What happens to an entry whose key is remembered already. `compare`: both are kept, so that a
 * repeat is compared with its first sight. `replace`: the old one is taken out before the
 * comparison. A memory that keeps an order puts the new one in the place of the old, compared with
 * what was before that place, so that a retry or a second run over the same traces changes nothing.
 */
export type SameId = 'compare' | 'replace';

/** Options of every call. */
export interface MemoryCallOptions {
  /**
   * Aborted when the answer is given up, at the scorer's `operationTimeoutMs`. Not at the budget of
   * an evaluation: what comes late is still remembered.
   */
  readonly signal?: AbortSignal;
}

/** Options of `nearest`. */
export interface NearestOptions extends MemoryCallOptions {
  /** Entries less similar than this need not be found. */
  readonly floor?: number;
}

/** Options of `compareAndRemember`. */
export interface CompareAndRememberOptions extends MemoryCallOptions {
  /** Default `compare`. */
  readonly sameId?: SameId;
}

/** What a memory says of itself; plain JSON. */
export interface MemoryStats {
  /** `sqlite`, `postgres`, `redis` … */
  readonly engine: string;
  /** How many are remembered. */
  readonly entries: number;
  /** Length of every vector. */
  readonly dimensions: number;
  /** Whose vectors it holds. */
  readonly embedderId?: string;
  /** Which part of its store it is. */
  readonly namespace?: string;
  readonly [further: string]: unknown;
}

/**
 * What a scorer needs of a memory. `VectorCache` is one; a durable or shared store can be another,
 * answering at once or by a promise. The scorer calls it in the order in which the traces were
 * given to it, and waits for each call before the next one. Only comparisons with nothing
 * remembered in between may be asked for together.
 */
export interface NoveltyMemory {
  /** Checked against the embedder's when it is there. */
  readonly dimensions?: number;
  /** The id of the embedder whose vectors it holds; checked when it is there. */
  readonly embedderId?: string;
  /** How many traces are remembered. */
  readonly size?: number | Promise<number>;
  /**
   * The most similar remembered trace; undefined when none is remembered.
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
   * @param vector - of length 1; to be copied.
   * @param key - the trace's id.
   */
  add(vector: Float32Array, key: string, options?: MemoryCallOptions): void | Promise<void>;
  /**
   * Compares each entry with all before it, those of the same call included, and then remembers it;
   * one answer an entry, in order. Atomic against every other writer of the memory. Used instead of
   * `nearest` and `add` where it is there.
   *
   * @param entries - in the order in which they are compared and remembered.
   */
  compareAndRemember?(
    entries: readonly MemoryEntry[],
    options?: CompareAndRememberOptions,
  ): readonly MemoryAnswer[] | Promise<readonly MemoryAnswer[]>;
  /**
   * Erases what is remembered under a key; whether there was something.
   *
   * @param key - the trace's id.
   */
  forget?(key: string, options?: MemoryCallOptions): boolean | Promise<boolean>;
  /** Resolves when the memory can answer. */
  ready?(): void | Promise<void>;
  /** Lets go of whatever it holds open. The scorer never calls it. */
  close?(): void | Promise<void>;
  /** What it holds, for people. */
  stats?(): MemoryStats | Promise<MemoryStats>;
}
