import type { MemoryAnswer, MemoryEntry, NoveltyMemory } from '@kp/scoring';
import type { WantedMemory } from '../src/contract/index.ts';

/** An entry as stored. */
export interface KeptEntry extends MemoryEntry {
  readonly answer: MemoryAnswer;
}

/** Stores by name; all handles with the same name share a store. */
export type Stores = Map<string, { readonly wanted: WantedMemory; entries: KeptEntry[] }>;

export type ReferenceMemory = Required<Omit<NoveltyMemory, 'ready' | 'embedderId' | 'dimensions'>>;

/** A direct implementation of the contract with a list in this process. */
export function referenceMemory(stores: Stores, wanted: WantedMemory): ReferenceMemory {
  const known = stores.get(wanted.name);
  const store = known ?? { wanted, entries: [] as KeptEntry[] };
  if (store.wanted.embedderId !== wanted.embedderId) throw new Error('another embedder');
  if (store.wanted.dimensions !== wanted.dimensions) throw new Error('other dimensions');
  stores.set(wanted.name, store);
  let isClosed = false;

  const check = (vector: Float32Array): void => {
    if (isClosed) throw new Error('closed');
    const isWhole = vector.length === wanted.dimensions && vector.every(Number.isFinite);
    if (!isWhole) throw new RangeError('not a vector of this memory');
  };
  const remember = (entry: MemoryEntry, isReplacing: boolean): MemoryAnswer => {
    const { entries } = store;
    const repeat = entries.find(({ operationId }) => operationId === entry.operationId);
    if (repeat !== undefined) return repeat.answer;
    const at = entries.findIndex(({ key }) => key === entry.key);
    const place = isReplacing && at >= 0 ? at : entries.length;
    const nearest = nearestOf(entry.vector, entries.slice(0, place));
    const answer = { ...(nearest && { nearest }), comparedWith: place };
    entries[place] = { ...entry, vector: entry.vector.slice(), answer };
    store.entries = entries.slice(-wanted.maxElements);
    return answer;
  };

  return {
    get size() {
      return store.entries.length;
    },
    async nearest(vector, { signal } = {}) {
      check(vector);
      signal?.throwIfAborted();
      return nearestOf(vector, store.entries);
    },
    async add(vector, key) {
      check(vector);
      remember({ vector, key, operationId: crypto.randomUUID() }, false);
    },
    async compareAndRemember(entries, { sameId } = {}) {
      for (const { vector, key } of entries) {
        check(vector);
        if (typeof key !== 'string') throw new TypeError('a key that is no text');
      }
      return entries.map((entry) => remember(entry, sameId === 'replace'));
    },
    async forget(key) {
      const left = store.entries.filter((entry) => entry.key !== key);
      const isThere = left.length < store.entries.length;
      store.entries = left;
      return isThere;
    },
    async close() {
      isClosed = true;
    },
    stats: () => ({
      engine: 'reference',
      entries: store.entries.length,
      dimensions: wanted.dimensions,
    }),
  };
}

/** The first one on a tie. */
function nearestOf(
  vector: Float32Array,
  entries: readonly KeptEntry[],
): { key: string; similarity: number } | undefined {
  let best: { key: string; similarity: number } | undefined;
  for (const { key, vector: other } of entries) {
    const product = vector.reduce((sum, value, i) => sum + value * (other[i] as number), 0);
    const lengths = Math.hypot(...vector) * Math.hypot(...other);
    const similarity = lengths === 0 ? 0 : product / lengths;
    if (best === undefined || similarity > best.similarity) best = { key, similarity };
  }
  return best;
}
