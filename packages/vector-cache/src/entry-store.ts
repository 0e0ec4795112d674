import { InvalidValueError } from '@kp/foundation';
import { EntryLog } from './entry-log.ts';
import { allocating, OutOfMemoryError } from './errors.ts';
import { isKernelSupported } from './kernel.ts';
import {
  checkType,
  type Engine,
  type Entry,
  type Neighbor,
  type ResolvedOptions,
  type SearchOptions,
} from './options.ts';
import { ScalarStore } from './scalar-store.ts';
import type { Hit } from './similarity.ts';
import { type Contents, openSnapshot } from './snapshot.ts';
import type { VectorStore } from './store.ts';
import { checkFinite, checkLength, trueLength, type Values } from './vector-input.ts';
import { WasmStore } from './wasm-store.ts';

// Rows beyond `maxElements` in a cache whose entries are deleted: giving up erased rows takes about
// a microsecond for each row left, and with an eighth more rows it is due after that many deletions.
const SPARE_SHARE = 1 / 8;
const SPARE_ROWS_MIN = 64;

/**
 * The entries of a cache: their vectors in a store, and times and keys beside them in a log. What
 * throws leaves both as they were. None of it but {@link passing} runs code of the caller.
 */
export class EntryStore {
  readonly log: EntryLog = new EntryLog();
  readonly #options: ResolvedOptions;
  // Made for the first entry and given up with the last one, so that where memory was refused, what
  // works there is chosen anew.
  #vectors: VectorStore | undefined;

  constructor(options: ResolvedOptions) {
    this.#options = options;
  }

  get engine(): Engine {
    return this.#open().engine;
  }

  get bytes(): number {
    return (this.#vectors?.bytes ?? 0) + this.log.bytes;
  }

  /** Takes the memory for so many entries at once, if it can be had. */
  expect(count: number): void {
    const more = Math.min(count, this.#options.maxElements) - this.log.rows;
    if (more > 0) this.#open().expect?.(more);
  }

  /** Takes in a query for the searches of the store returned; undefined when there is no entry. */
  query(values: Values): VectorStore | undefined {
    checkLength('query', trueLength(values), this.#options.dimensions);
    if (this.log.rows === 0) {
      checkFinite('query', values, this.#options.dimensions);
      return undefined;
    }
    const store = this.#open();
    store.load('query', values);
    return store;
  }

  /**
   * A bit for each row, set where the caller's filter lets the entry pass; the filter must leave the
   * cache alone.
   */
  passing(filter: NonNullable<SearchOptions['filter']>): Uint8Array {
    const { log } = this;
    checkType('filter', filter, 'function');
    const { rows, erased, nextNumber } = log;
    const mask = new Uint8Array((rows + 7) >> 3);
    for (let position = 0; position < rows; position++) {
      if (log.isErased(position)) continue;
      const passes = filter(log.key(position), log.time(position));
      checkType('filter()', passes, 'boolean');
      if (log.rows !== rows || log.erased !== erased || log.nextNumber !== nextNumber) {
        throw new InvalidValueError('filter', 'a function that does not change the cache', filter);
      }
      if (passes) mask[position >> 3] = mask[position >> 3] | (1 << (position & 7));
    }
    return mask;
  }

  add(values: Values, key: string | undefined, time: number): void {
    checkLength('vector', trueLength(values), this.#options.dimensions);
    this.#append((store) => store.load('vector', values), key, time);
  }

  /** Adds the entries of a snapshot taken at a time; forgets all when that fails. */
  restore({ keys, ages, vectors }: Contents, takenAt: number): void {
    const { dimensions } = this.#options;
    try {
      this.expect(ages.length);
      for (let position = 0; position < ages.length; position++) {
        const load = (store: VectorStore) => store.loadUnit(vectors, position * dimensions);
        const time = takenAt - ages[position];
        this.#append(load, keys?.[position] ?? undefined, time);
      }
    } catch (error) {
      this.clear();
      throw error;
    }
  }

  toBytes(now: number): Uint8Array {
    if (this.log.erased > 0) this.#compact();
    const { log } = this;
    const count = log.size;
    const { ages, vectors, seal } = allocating('a snapshot', count, () =>
      openSnapshot(this.#options, count, log.keys()),
    );
    for (let position = 0; position < count; position++) ages[position] = now - log.time(position);
    this.#vectors?.read(0, count, vectors, 0);
    return seal();
  }

  neighbor({ position, similarity }: Hit): Neighbor {
    return {
      key: this.log.key(position),
      similarity,
      addedAt: this.log.time(position),
    };
  }

  /** The entries there are now, oldest first, but for those gone when their turn comes. */
  *list(evictExpired: () => void): Generator<Entry, undefined> {
    const { log } = this;
    const end = log.nextNumber;
    for (let next = 0; next < end; ) {
      evictExpired();
      const position = log.positionFrom(next);
      if (position === log.rows) return;
      next = log.number(position) + 1;
      if (next > end || log.isErased(position)) continue;
      const vector = new Float32Array(this.#options.dimensions);
      this.#vectors?.read(position, 1, vector, 0);
      yield { key: log.key(position), addedAt: log.time(position), vector };
    }
  }

  /** Forgets the oldest rows. */
  dropOldest(count: number): void {
    // Nothing is dropped of an empty cache either: it keeps what was reserved for it.
    if (count > 0) {
      if (count === this.log.rows) {
        this.clear();
      } else {
        this.#vectors?.dropOldest(count);
        this.log.dropOldest(count);
      }
    }
  }

  /** Forgets all entries under a key; false when there is none. */
  delete(key: string): boolean {
    const { log } = this;
    const positions = log.erase(key);
    for (const position of positions) this.#vectors?.erase(position);
    this.dropOldest(log.leadingErased());
    if (log.erased * 2 > log.rows) this.#compact();
    return positions.length > 0;
  }

  clear(): void {
    this.#vectors?.clear();
    this.#vectors = undefined;
    this.log.clear();
  }

  #append(load: (store: VectorStore) => void, key: string | undefined, time: number): void {
    const { log } = this;
    this.#makeRoom();
    const store = this.#reserve(load);
    log.append(time, key);
    const dropped = log.size > this.#options.maxElements ? 1 + log.leadingErased(1) : 0;
    store.append(dropped);
    log.dropOldest(dropped);
  }

  /** Sees to it that the store's limit leaves a row free, unless the oldest entry is to go. */
  #makeRoom(): void {
    const { log } = this;
    const { maxElements } = this.#options;
    const { limit } = this.#vectors ?? {};
    if (limit === undefined || log.rows < limit || log.size === maxElements) return;
    if (limit > maxElements) {
      this.#compact();
      return;
    }
    const spare = Math.max(SPARE_ROWS_MIN, Math.ceil(maxElements * SPARE_SHARE));
    try {
      this.#vectors?.raiseLimit?.(maxElements + spare);
    } catch (error) {
      if (!(error instanceof OutOfMemoryError)) throw error;
      this.#compact();
    }
  }

  /** The store, with the vector loaded and a row for it. */
  #reserve(load: (store: VectorStore) => void): VectorStore {
    const store = this.#open();
    load(store);
    try {
      store.reserve();
      return store;
    } catch (error) {
      if (this.log.rows > 0 || !this.#mayFallBack(error)) throw error;
    }
    store.clear();
    this.#vectors = new ScalarStore(this.#options.dimensions);
    load(this.#vectors);
    this.#vectors.reserve();
    return this.#vectors;
  }

  #compact(): void {
    this.#vectors?.compact((position) => this.log.isErased(position));
    this.log.compact();
  }

  #open(): VectorStore {
    this.#vectors ??= this.#createStore();
    return this.#vectors;
  }

  /** Over the kernel where there is one and memory for it, else in plain TypeScript. */
  #createStore(): VectorStore {
    const { dimensions, maxElements, flat, engine } = this.#options;
    if (engine !== 'typescript' && isKernelSupported()) {
      try {
        return new WasmStore(dimensions, maxElements, flat);
      } catch (error) {
        if (!this.#mayFallBack(error)) throw error;
      }
    } else if (engine === 'wasm-simd') {
      const expected = 'typescript, as WebAssembly SIMD is refused here';
      throw new InvalidValueError('engine', expected, engine);
    }
    return new ScalarStore(dimensions);
  }

  #mayFallBack(error: unknown): boolean {
    return this.#options.engine === undefined && error instanceof OutOfMemoryError;
  }
}
