/// <reference lib="esnext.disposable" preserve="true" />
import { EntryStore } from './entry-store.ts';
import {
  checkInteger,
  checkType,
  createMonotonicClock,
  type Engine,
  type Entry,
  type Neighbor,
  resolveOptions,
  type SearchOptions,
  type SnapshotOptions,
  type VectorCacheOptions,
} from './options.ts';
import { type Hit, singleFloor } from './similarity.ts';
import { readSnapshot } from './snapshot.ts';
import { readVector } from './vector-input.ts';

/**
 * A memory of vectors, bounded in number and age, that answers the exact greatest cosine similarity
 * to a query. Past `maxElements` the oldest entry goes first; an entry whose age is `ttlMs` or more is
 * gone from every answer. A call that throws has changed nothing, but expired entries are gone.
 */
export class VectorCache {
  /** Length of every vector. */
  readonly dimensions: number;
  /** How many it keeps at most. */
  readonly maxElements: number;
  /** Whose vectors it holds, where it was told. */
  readonly embedderId?: string;
  readonly #ttlMs: number;
  readonly #clock: () => number;
  readonly #entries: EntryStore;
  readonly #hit: Hit = { position: 0, similarity: 0 };

  /** @throws InvalidTypeError or InvalidValueError when an option is refused. */
  constructor(options?: VectorCacheOptions) {
    const resolved = resolveOptions(options);
    this.dimensions = resolved.dimensions;
    this.maxElements = resolved.maxElements;
    this.embedderId = resolved.embedderId;
    this.#ttlMs = resolved.ttlMs;
    this.#clock = createMonotonicClock(resolved.now);
    this.#entries = new EntryStore(resolved);
  }

  /** Entries that are not expired. */
  get size(): number {
    this.evictExpired();
    return this.#entries.log.size;
  }

  /**
   * What computes the answers among more than four entries; up to four stay on the JavaScript heap.
   * `'typescript'` where WebAssembly SIMD, or memory for it, is refused; the cache asks for that
   * memory again each time the number of its entries doubles.
   */
  get engine(): Engine {
    return this.#entries.engine;
  }

  /** Bytes held for vectors, times and what belongs to them; keys are not counted. */
  get memoryBytes(): number {
    return this.#entries.bytes;
  }

  /**
   * Takes the memory for `count` entries in all at once, as far as it can be had: growing bit by bit
   * copies the first of them and has V8 collect garbage each time.
   * @param count - integer from 1; more than `maxElements` counts as `maxElements`.
   * @throws InvalidTypeError or InvalidValueError.
   */
  reserve(count: number): void {
    checkInteger('count', count);
    this.#entries.expect(count);
  }

  /**
   * Remembers a copy of the vector, as the newest entry.
   *
   * @param vector - `[dimensions]` finite numbers of any norm; all zeros is similar to nothing.
   * @param key - handed back by the searches; need not be unique.
   * @throws DimensionMismatchError, InvalidTypeError or InvalidValueError when refused, and
   * OutOfMemoryError.
   */
  add(vector: ArrayLike<number>, key?: string): void {
    if (key !== undefined) checkType('key', key, 'string');
    const values = readVector('vector', vector, this.dimensions);
    const now = this.#evict();
    this.#entries.add(values, key, now);
  }

  /**
   * The greatest cosine similarity of any entry to the query.
   *
   * @param query - `[dimensions]` finite numbers.
   * @returns from -1 to 1; 0 when empty. With a `floor` or a `filter`: -1 when no entry passes.
   * @throws as {@link add}.
   */
  maxCosineSimilarity(query: ArrayLike<number>, options?: SearchOptions): number {
    const hit = this.#nearest(query, options);
    if (hit !== undefined) return hit.similarity;
    return options?.floor === undefined && options?.filter === undefined ? 0 : -1;
  }

  /**
   * The most similar entry, the oldest of equals; undefined when empty or when none passes `floor`
   * and `filter`.
   *
   * @param query - `[dimensions]` finite numbers.
   * @throws as {@link add}.
   */
  nearest(query: ArrayLike<number>, options?: SearchOptions): Neighbor | undefined {
    const hit = this.#nearest(query, options);
    return hit === undefined ? undefined : this.#entries.neighbor(hit);
  }

  /**
   * Whether any entry is at least `floor` similar: stops at the first that is.
   *
   * @param query - `[dimensions]` finite numbers.
   * @param floor - from -1 to 1.
   * @throws as {@link add}.
   */
  hasSimilar(query: ArrayLike<number>, floor: number): boolean {
    const least = singleFloor(floor);
    const values = readVector('query', query, this.dimensions);
    this.evictExpired();
    return this.#entries.query(values)?.reaches(least) ?? false;
  }

  /**
   * The `k` most similar entries, best first, the older of equals first; fewer when fewer are kept
   * or pass `floor` and `filter`.
   *
   * @param query - `[dimensions]` finite numbers.
   * @param k - integer from 1.
   * @throws as {@link add}, and InvalidValueError when `k` is no such integer.
   */
  search(query: ArrayLike<number>, k: number, options?: SearchOptions): Neighbor[] {
    checkInteger('k', k);
    return this.#search(query, k, options).map((hit) => this.#entries.neighbor(hit));
  }

  /**
   * Whether any entry has the key. The first look-up of a key makes an index of all keys, in time
   * proportional to the entries; from then on `add` keeps it, and a look-up takes constant time.
   *
   * @param key - what it was added under.
   * @throws InvalidTypeError when the key is no string, and OutOfMemoryError.
   */
  has(key: string): boolean {
    checkType('key', key, 'string');
    this.evictExpired();
    return this.#entries.log.has(key);
  }

  /**
   * Forgets all entries under the key. The others keep their order, of eviction too. Takes time in
   * proportion to the entries forgotten, and to the logarithm of the size; now and then, after
   * deletions of an eighth of `maxElements`, their rows are given up in about a microsecond for each
   * entry left.
   *
   * @param key - what it was added under.
   * @returns whether there was any.
   * @throws as {@link has}.
   */
  delete(key: string): boolean {
    checkType('key', key, 'string');
    this.evictExpired();
    return this.#entries.delete(key);
  }

  /**
   * The entries, oldest first, with copies of their vectors. What is deleted, evicted or expires
   * meanwhile is passed over; what is added after the iteration began is not listed.
   */
  entries(): Generator<Entry, undefined> {
    return this.#entries.list(() => this.evictExpired());
  }

  /** Forgets every entry and gives its memory back. */
  clear(): void {
    this.#entries.clear();
  }

  /** The same as {@link clear}, for `using`. */
  [Symbol.dispose](): void {
    this.clear();
  }

  /**
   * Forgets entries whose age is `ttlMs` or more. Every other method does so by itself.
   *
   * @returns how many were forgotten.
   */
  evictExpired(): number {
    const { log } = this.#entries;
    const before = log.size;
    if (before === 0 || this.#ttlMs === Infinity) return 0;
    this.#evict();
    return before - log.size;
  }

  /**
   * The contents as bytes for {@link fromBytes}: vectors, keys, options, and the age of each
   * entry. Ages, not times, so that a clock with another origin can read it.
   *
   * @throws OutOfMemoryError.
   */
  toBytes(): Uint8Array {
    return this.#entries.toBytes(this.#evict());
  }

  /**
   * A cache with the contents of a snapshot. Each entry is as old as it was when the snapshot was
   * taken, plus `elapsedMs`; the rest comes from the snapshot unless the options say otherwise.
   * A smaller `maxElements` keeps the newest.
   *
   * @param bytes - of {@link VectorCache.toBytes}.
   * @param options - `dimensions` and `embedderId` are demands: a snapshot with others is refused.
   * @throws SnapshotError when the bytes are foreign, damaged, or not what the options demand;
   * OutOfMemoryError.
   */
  static fromBytes(bytes: Uint8Array, options: SnapshotOptions = {}): VectorCache {
    const { options: kept, elapsedMs, ...contents } = readSnapshot(bytes, options);
    const cache = new VectorCache(kept);
    cache.#entries.restore(contents, cache.#clock() - elapsedMs);
    return cache;
  }

  #nearest(query: ArrayLike<number>, options: SearchOptions | undefined): Hit | undefined {
    if (options?.filter !== undefined) return this.#search(query, 1, options)[0];
    const floor = singleFloor(options?.floor);
    const values = readVector('query', query, this.dimensions);
    this.evictExpired();
    const isFound = this.#entries.query(values)?.nearest(floor, this.#hit);
    return isFound ? this.#hit : undefined;
  }

  #search(query: ArrayLike<number>, k: number, options: SearchOptions | undefined): Hit[] {
    const floor = singleFloor(options?.floor);
    const filter = options?.filter;
    const values = readVector('query', query, this.dimensions);
    this.evictExpired();
    const rows = filter === undefined ? undefined : this.#entries.passing(filter);
    return this.#entries.query(values)?.search(k, floor, rows) ?? [];
  }

  #evict(): number {
    const now = this.#clock();
    this.#entries.dropOldest(this.#entries.log.expired(now, this.#ttlMs));
    return now;
  }
}
