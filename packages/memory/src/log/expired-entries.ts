import type { VectorCache } from '@kp/vector-cache';

type Entry = ReturnType<VectorCache['entries']> extends Iterator<infer Item> ? Item : never;

/**
 * The entries that have expired by now although no row was appended since. They stay in the cache,
 * because the clock may step back. Only the times of rows, which all processes share, remove entries.
 */
export class ExpiredEntries {
  readonly #cache: VectorCache;
  readonly #ttlMs: number;
  readonly #names = new Set<string>();
  #age = Number.NEGATIVE_INFINITY;
  /** The entries that are not expired, oldest first. */
  #others: Iterator<Entry> | undefined;
  #oldest: Entry | undefined;

  constructor(cache: VectorCache, ttlMs: number) {
    this.#cache = cache;
    this.#ttlMs = ttlMs;
  }

  get size(): number {
    return this.#names.size;
  }

  has(entry: string): boolean {
    return this.#names.has(entry);
  }

  /** Must be called before the entries of the cache change. */
  clear(): void {
    this.#names.clear();
    this.#age = Number.NEGATIVE_INFINITY;
    this.#others = undefined;
    this.#oldest = undefined;
  }

  /** @param age - the present time on the scale of the cache. */
  update(age: number): void {
    if (this.#ttlMs === Number.POSITIVE_INFINITY) return;
    if (age < this.#age) this.clear();
    this.#age = age;
    if (this.#others === undefined) {
      this.#others = this.#cache.entries();
      this.#oldest = this.#others.next().value;
    }
    while (this.#oldest !== undefined && age - this.#oldest.addedAt >= this.#ttlMs) {
      this.#names.add(this.#oldest.key ?? '');
      this.#oldest = this.#others.next().value;
    }
  }
}
