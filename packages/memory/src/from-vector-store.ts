import { assertFields, assertType } from '@kp/foundation';
import type { MemoryCallOptions, NearestTrace, NoveltyMemory } from '@kp/scoring';
import { MemoryStoreError } from './log/errors.ts';
import type { EmbeddingSpace } from './log/options.ts';

/** What is asked of a vector store that is there already. */
export interface VectorStore {
  /**
   * The most similar entry by cosine, in [-1, 1]; undefined when there is none.
   *
   * @param vector - of length 1.
   * @param options - `signal` says when nobody waits any more.
   */
  query(
    vector: Float32Array,
    options: MemoryCallOptions,
  ): NearestTrace | undefined | Promise<NearestTrace | undefined>;
  /**
   * Keeps the vector under its key, in place of one with the same key.
   *
   * @param key - of the entry.
   * @param vector - of length 1.
   * @param options - `signal` says when nobody waits any more.
   */
  upsert(key: string, vector: Float32Array, options: MemoryCallOptions): unknown;
  /** How many entries there are. */
  count?(): number | Promise<number>;
  /**
   * Erases an entry; whether it was there.
   *
   * @param key - of the entry.
   * @param options - `signal` says when nobody waits any more.
   */
  delete?(key: string, options: MemoryCallOptions): boolean | Promise<boolean>;
}

/**
 * A vector store as a memory. **Not atomic**: it is asked first and added to afterwards, so that two
 * processes, or two evaluations at the same moment, may both call the same trace new. An
 * approximate index may call new what is not.
 *
 * @param store - the one that is there.
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
