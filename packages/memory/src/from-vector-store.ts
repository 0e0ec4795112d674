import { assertFields, assertType } from '@kp/foundation';
import type { MemoryCallOptions, NearestTrace, NoveltyMemory } from '@kp/scoring';
import { MemoryStoreError } from './log/errors.ts';
import type { EmbeddingSpace } from './log/options.ts';

/** The methods of an existing vector store that a memory needs. */
export interface VectorStore {
  /**
   * Returns the most similar entry by cosine similarity, in [-1, 1]; undefined if there is none.
   *
   * @param vector - of length 1.
   * @param options - `signal` is aborted when the caller no longer waits.
   */
  query(
    vector: Float32Array,
    options: MemoryCallOptions,
  ): NearestTrace | undefined | Promise<NearestTrace | undefined>;
  /**
   * Stores the vector under its key and replaces an earlier one.
   *
   * @param key - of the entry.
   * @param vector - of length 1.
   * @param options - `signal` is aborted when the caller no longer waits.
   */
  upsert(key: string, vector: Float32Array, options: MemoryCallOptions): unknown;
  /** Returns the number of entries. */
  count?(): number | Promise<number>;
  /**
   * Erases an entry. Returns whether it existed.
   *
   * @param key - of the entry.
   * @param options - `signal` is aborted when the caller no longer waits.
   */
  delete?(key: string, options: MemoryCallOptions): boolean | Promise<boolean>;
}

/**
 * Uses a vector store as a memory. **Not atomic**: it compares first and adds afterwards, so two
 * processes, or two concurrent evaluations, may both report the same trace as new. With an
 * approximate index, a repeat may be reported as new.
 *
 * @param store - the existing store.
 * @param space - the embedder whose vectors it holds.
 */
export function fromVectorStore(
  store: VectorStore,
  options: { readonly embedder: EmbeddingSpace },
): NoveltyMemory {
  assertType('store', 'an object', store);
  assertFields('options', options, { embedder: 'an object' });
  const { id: embedderId, dimensions } = options.embedder;
  function copyOf(vector: Float32Array): Float32Array {
    const isFine = vector.length === dimensions && vector.every(Number.isFinite);
    if (isFine) return vector.slice();
    throw new MemoryStoreError({
      code: 'MEMORY_ENTRY_INVALID',
      subject: 'vector',
      expected: `${dimensions} finite numbers`,
      received: `${vector.length}${vector.length === dimensions ? ', not all finite' : ''}`,
    });
  }
  const { count, delete: erase } = store;
  const memory: NoveltyMemory = {
    dimensions,
    embedderId,
    nearest: (vector, options = {}) => store.query(copyOf(vector), options),
    async add(vector, key, options = {}) {
      await store.upsert(key, copyOf(vector), options);
    },
  };
  if (count !== undefined) {
    Object.defineProperty(memory, 'size', { get: () => count.call(store), enumerable: true });
  }
  if (erase !== undefined) {
    memory.forget = (key, options = {}) => erase.call(store, key, options);
  }
  return memory;
}
