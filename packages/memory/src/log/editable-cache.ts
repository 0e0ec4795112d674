import { type Neighbor, VectorCache, type VectorCacheOptions } from '@kp/vector-cache';

/** A `VectorCache` of unique keys from which single entries can be taken and left out. */
export class EditableCache {
  readonly #cache: VectorCache;
  readonly #serials = new Map<string, number>();
  #serial = 0;

  constructor(options: VectorCacheOptions) {
    this.#cache = new VectorCache(options);
  }

  get size(): number {
    this.#sweep();
    return this.#serials.size;
  }

  has(key: string): boolean {
    this.#sweep();
    return this.#serials.has(key);
  }

  add(vector: ArrayLike<number>, key: string): void {
    this.#cache.add(vector, `${++this.#serial} ${key}`);
    this.#serials.delete(key);
    this.#serials.set(key, this.#serial);
  }

  delete(key: string): void {
    this.#serials.delete(key);
  }

  oldest(): string | undefined {
    this.#sweep();
    return this.#serials.keys().next().value;
  }

  nearest(
    query: Float32Array,
    filter: ((key: string) => boolean) | undefined,
    floor?: number,
  ): Neighbor | undefined {
    this.#sweep();
    for (let count = 1; ; count *= 4) {
      const found = this.#cache.search(query, count, floor === undefined ? {} : { floor });
      for (const neighbor of found) {
        const [, serial, key = ''] = neighbor.key?.match(/^(\d+) (.*)$/s) ?? [];
        if (this.#serials.get(key) !== Number(serial)) continue;
        if (filter?.(key) ?? true) return { ...neighbor, key };
      }
      if (found.length < count) return undefined;
    }
  }

  #sweep(): void {
    while (this.#serials.size > this.#cache.size) {
      const [oldest] = this.#serials.keys();
      if (oldest === undefined) return;
      this.#serials.delete(oldest);
    }
  }
}
