import { createMonotonicClock } from './clock.ts';
import { EntryLog } from './entry-log.ts';
import { InvalidTypeError, InvalidValueError, SnapshotError } from './errors.ts';
import { checkInteger, checkNumber, resolveOptions, type VectorCacheOptions } from './options.ts';
import { ScalarStore } from './scalar-store.ts';
import { decodeSnapshot, encodeSnapshot, type Snapshot } from './snapshot.ts';
import type { Hit, VectorStore } from './store.ts';
import { paddedLength, toUnitVector } from './unit-vector.ts';

/** An entry of a {@link VectorCache}, as a search finds it. */
export interface Neighbor {
  /** What `add` was given as the key; undefined when it was given none. */
  readonly key: string | undefined;
  /** Cosine of the angle to the query, from -1 to 1; 0 when either vector is all zeros. */
  readonly similarity: number;
  /** Reading of the cache's clock, in milliseconds, when the entry was added. */
  readonly addedAt: number;
}

/** What {@link VectorCache.fromBytes} may change or demand. */
export interface SnapshotOptions extends VectorCacheOptions {
  /** Milliseconds to add to every age: the time the snapshot lay unused. 0 when left out. */
  elapsedMs?: number | undefined;
}

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
  readonly #store: VectorStore;
  readonly #scratch: Float64Array;
  readonly #unit: Float32Array;
  readonly #hit: Hit = { position: 0, similarity: 0 };

  /** @throws InvalidTypeError or InvalidValueError when an option is refused. */
  constructor(options?: VectorCacheOptions) {
    const { dimensions, maxElements, ttlMs, now, embedderId } = resolveOptions(options);
    this.dimensions = dimensions;
    this.maxElements = maxElements;
    this.embedderId = embedderId;
    this.#ttlMs = ttlMs;
    this.#clock = createMonotonicClock(now);
    const length = paddedLength(dimensions);
    this.#store = new ScalarStore(length, maxElements);
    this.#scratch = new Float64Array(length);
    this.#unit = new Float32Array(length);
  }

  /** Entries that are not expired. */
  get size(): number {
    this.evictExpired();
    return this.#store.size;
  }

  /**
   * Remembers a copy of the vector, as the newest entry.
   *
   * @param vector - `[dimensions]` finite numbers of any norm; all zeros is similar to nothing.
   * @param key - handed back by the searches; need not be unique.
   * @throws DimensionMismatchError, InvalidTypeError or InvalidValueError when refused.
   */
  add(vector: ArrayLike<number>, key?: string): void {
    if (key !== undefined && typeof key !== 'string') {
      throw new InvalidTypeError('key', 'a string', key);
    }
    this.#read('vector', vector);
    const now = this.#evict();
    this.#append(now, key);
  }

  /**
   * The greatest cosine similarity of any entry to the query.
   *
   * @returns from -1 to 1; 0 when empty.
   * @throws as {@link add}.
   */
  maxCosineSimilarity(query: ArrayLike<number>): number {
    return this.#nearest(query) ? clamp(this.#hit.similarity) : 0;
  }

  /**
   * The most similar entry, the oldest of equals; undefined when empty.
   *
   * @throws as {@link add}.
   */
  nearest(query: ArrayLike<number>): Neighbor | undefined {
    return this.#nearest(query) ? this.#neighbor(this.#hit) : undefined;
  }

  /**
   * The `k` most similar entries, best first, the older of equals first; all when fewer are kept.
   *
   * @param k - integer from 1.
   * @throws as {@link add}, and InvalidValueError when `k` is no such integer.
   */
  search(query: ArrayLike<number>, k: number): Neighbor[] {
    checkInteger('k', k, Number.MAX_SAFE_INTEGER);
    this.#read('query', query);
    this.evictExpired();
    return this.#store.search(this.#unit, k).map((hit) => this.#neighbor(hit));
  }

  /** Forgets every entry and gives its memory back. */
  clear(): void {
    this.#store.clear();
    this.#entries.clear();
  }

  /**
   * Forgets entries whose age is `ttlMs` or more. Every other method does so by itself.
   *
   * @returns how many were forgotten.
   */
  evictExpired(): number {
    const before = this.#store.size;
    if (before === 0 || this.#ttlMs === Number.POSITIVE_INFINITY) return 0;
    this.#evict();
    return before - this.#store.size;
  }

  /**
   * The contents as bytes for {@link fromBytes}: vectors, keys, options, and the age of each
   * entry. Ages, not times, so that a clock with another origin can read it.
   */
  toBytes(): Uint8Array {
    const now = this.#evict();
    const count = this.#store.size;
    const ages = new Float64Array(count);
    const vectors = new Float32Array(count * this.dimensions);
    const keys = this.#entries.hasKeys ? new Array<string | null>(count) : null;
    for (let position = 0; position < count; position++) {
      ages[position] = now - this.#entries.time(position);
      this.#store.read(position, this.dimensions, vectors, position * this.dimensions);
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
    });
    cache.#load(snapshot, elapsedMs);
    return cache;
  }

  #load(snapshot: Snapshot, elapsedMs: number): void {
    const { ages, vectors, metadata } = snapshot;
    const now = this.#clock();
    for (let position = 0; position < ages.length; position++) {
      const start = position * this.dimensions;
      this.#unit.set(vectors.subarray(start, start + this.dimensions));
      const time = now - elapsedMs - (ages[position] as number);
      this.#append(time, metadata.keys?.[position] ?? undefined);
    }
  }

  #read(subject: string, vector: ArrayLike<number>): void {
    toUnitVector(subject, vector, this.dimensions, this.#scratch, this.#unit);
  }

  #append(time: number, key: string | undefined): void {
    if (this.#store.size === this.maxElements) this.#entries.dropOldest(1);
    this.#store.append(this.#unit);
    this.#entries.append(time, key);
  }

  #nearest(query: ArrayLike<number>): boolean {
    this.#read('query', query);
    this.evictExpired();
    return this.#store.nearest(this.#unit, this.#hit);
  }

  #evict(): number {
    const now = this.#clock();
    let expired = 0;
    while (expired < this.#store.size && now - this.#entries.time(expired) >= this.#ttlMs) {
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
      similarity: clamp(hit.similarity),
      addedAt: this.#entries.time(hit.position),
    };
  }
}

/** Rounding can carry the product of two unit vectors a little beyond 1. */
function clamp(similarity: number): number {
  return Math.max(-1, Math.min(1, similarity));
}

function checkDemand<T>(subject: string, demanded: T | undefined, found: T | null): void {
  if (demanded === undefined || demanded === found) return;
  throw new SnapshotError(subject, String(demanded), String(found));
}
