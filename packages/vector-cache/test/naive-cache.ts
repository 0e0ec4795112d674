import { oracleCosine } from './oracle.ts';

interface NaiveEntry {
  readonly key: string | undefined;
  readonly addedAt: number;
  readonly vector: number[];
}

/** A simple reference implementation of `VectorCache` with a list, regardless of speed. */
export class NaiveCache {
  readonly dimensions: number;
  readonly #maxElements: number;
  readonly #ttlMs: number;
  readonly #now: () => number;
  #list: NaiveEntry[] = [];

  constructor(options: {
    dimensions: number;
    maxElements: number;
    ttlMs?: number;
    now: () => number;
  }) {
    this.dimensions = options.dimensions;
    this.#maxElements = options.maxElements;
    this.#ttlMs = options.ttlMs ?? Number.POSITIVE_INFINITY;
    this.#now = options.now;
  }

  get list(): readonly NaiveEntry[] {
    const now = this.#now();
    this.#list = this.#list.filter((entry) => now - entry.addedAt < this.#ttlMs);
    return this.#list;
  }

  get size(): number {
    return this.list.length;
  }

  add(vector: ArrayLike<number>, key?: string): void {
    const entry = { key, addedAt: this.#now(), vector: Array.from(vector) };
    this.#list = [...this.list, entry].slice(-this.#maxElements);
  }

  has(key: string): boolean {
    return this.list.some((entry) => entry.key === key);
  }

  delete(key: string): boolean {
    const before = this.size;
    this.#list = this.#list.filter((entry) => entry.key !== key);
    return this.#list.length < before;
  }

  search(query: ArrayLike<number>, k: number): { key: string | undefined; similarity: number }[] {
    return this.list
      .map(({ key, vector }) => ({ key, similarity: oracleCosine(vector, query) }))
      .sort((a, b) => b.similarity - a.similarity)
      .slice(0, k);
  }
}
