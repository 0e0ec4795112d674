import { createMonotonicClock } from './clock.ts';
import { EntryLog } from './entry-log.ts';
import { InvalidTypeError, InvalidValueError, SnapshotError } from './errors.ts';
import type { Neighbor, SearchOptions, SnapshotOptions } from './neighbor.ts';
import { checkInteger, checkNumber, resolveOptions, type VectorCacheOptions } from './options.ts';
import { clampSimilarity, singleFloor } from './similarity.ts';
import { decodeSnapshot, encodeSnapshot, type Snapshot } from './snapshot.ts';
import type { Engine, Hit, VectorStore } from './store.ts';
import { createStore } from './store-choice.ts';

/**
 * A memory of vectors, bounded in number and age, that answers the exact greatest cosine
 * similarity to a query. Past `maxElements` the oldest entry goes first; an entry whose age is
 * `ttlMs` or more is gone from every answer.
 */
export class VectorCache {
  readonly dimensions: number;
  readonly maxElements: number;
  readonly embedderId: string | undefined;
  readonly #ttlMs: number;
  readonly #clock: () => number;
  readonly #entries = new EntryLog();
  readonly #createStore: () => VectorStore;
  readonly #hit: Hit = { position: 0, similarity: 0 };
  #openStore: VectorStore | undefined;

  /** @throws InvalidTypeError or InvalidValueError when an option is refused. */
  constructor(options?: VectorCacheOptions) {
    const { dimensions, maxElements, ttlMs, now, embedderId, ...rest } = resolveOptions(options);
    this.dimensions = dimensions;
    this.maxElements = maxElements;
    this.embedderId = embedderId;
    this.#ttlMs = ttlMs;
    this.#clock = createMonotonicClock(now);
    this.#createStore = () => createStore(dimensions, maxElements, rest.flat, rest.engine);
  }

  /** Entries that are not expired. */
  get size(): number {
    this.evictExpired();
    return this.#entries.size;
  }

  /** What computes the answers; 'typescript' where WebAssembly SIMD is refused. */
  get engine(): Engine {
    return this.#store.engine;
  }

  /** Bytes held for vectors, times and what belongs to them; keys are not counted. */
  get memoryBytes(): number {
    return (this.#openStore?.bytes ?? 0) + this.#entries.bytes;
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
    if (key !== undefined && typeof key !== 'string') {
      throw new InvalidTypeError('key', 'a string', key);
    }
    // The clock first: it is the caller's code, and a loaded vector must be used at once.
    const now = this.#evict();
    this.#store.load('vector', vector);
    this.#append(now, key);
  }

  /**
   * The greatest cosine similarity of any entry to the query.
   *
   * @returns from -1 to 1; 0 when empty. With a `floor`: -1 when no entry reaches it.
   * @throws as {@link add}.
   */
  maxCosineSimilarity(query: ArrayLike<number>, options?: SearchOptions): number {
    if (this.#nearest(query, options)) return clampSimilarity(this.#hit.similarity);
    return options?.floor === undefined ? 0 : -1;
  }

  /**
   * The most similar entry, the oldest of equals; undefined when empty or under the `floor`.
   *
   * @throws as {@link add}.
   */
  nearest(query: ArrayLike<number>, options?: SearchOptions): Neighbor | undefined {
    return this.#nearest(query, options) ? this.#neighbor(this.#hit) : undefined;
  }

  /**
   * Whether any entry is at least `floor` similar: stops at the first that is.
   *
   * @param floor - from -1 to 1.
   * @throws as {@link add}.
   */
  hasSimilar(query: ArrayLike<number>, floor: number): boolean {
    const least = singleFloor(floor);
    this.#load(query);
    return this.#store.reaches(least);
  }

  /**
   * The `k` most similar entries, best first, the older of equals first; fewer when fewer are kept
   * or reach the `floor`.
   *
   * @param k - integer from 1.
   * @throws as {@link add}, and InvalidValueError when `k` is no such integer.
   */
  search(query: ArrayLike<number>, k: number, options?: SearchOptions): Neighbor[] {
    checkInteger('k', k, Number.MAX_SAFE_INTEGER);
    const floor = singleFloor(options?.floor);
    this.#load(query);
    return this.#store.search(k, floor).map((hit) => this.#neighbor(hit));
  }

  /** Forgets every entry and gives its memory back. */
  clear(): void {
    this.#openStore?.clear();
    this.#entries.clear();
  }

  /**
   * Forgets entries whose age is `ttlMs` or more. Every other method does so by itself.
   *
   * @returns how many were forgotten.
   */
  evictExpired(): number {
    const before = this.#entries.size;
    if (before === 0 || this.#ttlMs === Number.POSITIVE_INFINITY) return 0;
    this.#evict();
    return before - this.#entries.size;
  }

  /**
   * The contents as bytes for {@link fromBytes}: vectors, keys, options, and the age of each
   * entry. Ages, not times, so that a clock with another origin can read it.
   */
  toBytes(): Uint8Array {
    const now = this.#evict();
    const count = this.#entries.size;
    const ages = new Float64Array(count);
    const vectors = new Float32Array(count * this.dimensions);
    const keys = this.#entries.hasKeys ? new Array<string | null>(count) : null;
    for (let position = 0; position < count; position++) {
      ages[position] = now - this.#entries.time(position);
      this.#store.read(position, vectors, position * this.dimensions);
      if (keys !== null) keys[position] = this.#entries.key(position) ?? null;
    }
    const { dimensions, maxElements, embedderId = null } = this;
    const ttlMs = this.#ttlMs === Number.POSITIVE_INFINITY ? null : this.#ttlMs;
    const metadata = { count, dimensions, maxElements, ttlMs, embedderId, keys };
    return encodeSnapshot({ metadata, ages, vectors });
  }

  /**
   * A cache with the contents of a snapshot. Each entry is as old as it was when the snapshot was
   * taken, plus `elapsedMs`; the rest comes from the snapshot unless the options say otherwise.
   * A smaller `maxElements` keeps the newest.
   *
   * @param options - `dimensions` and `embedderId` are demands: a snapshot with others is refused.
   * @throws SnapshotError when the bytes are foreign, damaged, or not what the options demand.
   */
  static fromBytes(bytes: Uint8Array, options: SnapshotOptions = {}): VectorCache {
    if (!(bytes instanceof Uint8Array)) throw new InvalidTypeError('bytes', 'a Uint8Array', bytes);
    const { elapsedMs = 0, ...changes } = options;
    checkNumber('elapsedMs', elapsedMs);
    if (!(elapsedMs >= 0 && Number.isFinite(elapsedMs))) {
      throw new InvalidValueError('elapsedMs', 'finite milliseconds from 0', elapsedMs);
    }
    const snapshot = decodeSnapshot(bytes);
    const { dimensions, maxElements, ttlMs, embedderId } = snapshot.metadata;
    checkDemand('dimensions', changes.dimensions, dimensions);
    checkDemand('embedderId', changes.embedderId, embedderId);
    const cache = new VectorCache({
      dimensions,
      maxElements: changes.maxElements ?? maxElements,
      ttlMs: changes.ttlMs ?? ttlMs ?? undefined,
      now: changes.now,
      embedderId: embedderId ?? undefined,
      flat: changes.flat,
      engine: changes.engine,
    });
    cache.#restore(snapshot, elapsedMs);
    return cache;
  }

  get #store(): VectorStore {
    this.#openStore ??= this.#createStore();
    return this.#openStore;
  }

  #restore(snapshot: Snapshot, elapsedMs: number): void {
    const { ages, vectors, metadata } = snapshot;
    const now = this.#clock();
    for (let position = 0; position < ages.length; position++) {
      this.#store.loadUnit(vectors, position * this.dimensions);
      const time = now - elapsedMs - (ages[position] as number);
      this.#append(time, metadata.keys?.[position] ?? undefined);
    }
  }

  #append(time: number, key: string | undefined): void {
    if (this.#entries.size === this.maxElements) {
      this.#store.dropOldest(1);
      this.#entries.dropOldest(1);
    }
    this.#store.append();
    this.#entries.append(time, key);
  }

  #load(query: ArrayLike<number>): void {
    this.evictExpired();
    this.#store.load('query', query);
  }

  #nearest(query: ArrayLike<number>, options: SearchOptions | undefined): boolean {
    const floor = singleFloor(options?.floor);
    this.#load(query);
    return this.#store.nearest(floor, this.#hit);
  }

  #evict(): number {
    const now = this.#clock();
    let expired = 0;
    while (expired < this.#entries.size && now - this.#entries.time(expired) >= this.#ttlMs) {
      expired++;
    }
    if (expired > 0) {
      this.#store.dropOldest(expired);
      this.#entries.dropOldest(expired);
    }
    return now;
  }

  #neighbor(hit: Hit): Neighbor {
    return {
      key: this.#entries.key(hit.position),
      similarity: clampSimilarity(hit.similarity),
      addedAt: this.#entries.time(hit.position),
    };
  }
}

function checkDemand<T>(subject: string, demanded: T | undefined, found: T | null): void {
  if (demanded === undefined || demanded === found) return;
  throw new SnapshotError(subject, String(demanded), String(found));
}
