import { EntryLog } from './entry-log.ts';
import { allocating, InvalidTypeError, InvalidValueError, OutOfMemoryError } from './errors.ts';
import { isKernelSupported } from './kernel.ts';
import type { Engine, ResolvedOptions, SearchOptions } from './options.ts';
import { ScalarStore } from './scalar-store.ts';
import { openSnapshot, type Snapshot } from './snapshot.ts';
import type { RowFilter, VectorStore } from './store.ts';
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

  /** The rows whose entries the caller's filter lets pass; the filter must leave the cache alone. */
  passing(filter: NonNullable<SearchOptions['filter']>): RowFilter {
    const { log } = this;
    if (typeof filter !== 'function') throw new InvalidTypeError('filter', 'a function', filter);
    const { rows, erased, nextNumber } = log;
    const passing = new Uint8Array(rows);
    for (let position = 0; position < rows; position++) {
      if (log.isErased(position)) continue;
      const passes: unknown = filter(log.key(position), log.time(position));
      if (typeof passes !== 'boolean') throw new InvalidTypeError('filter()', 'a boolean', passes);
      if (log.rows !== rows || log.erased !== erased || log.nextNumber !== nextNumber) {
        throw new InvalidValueError('filter', 'a function that leaves the cache alone', 'a change');
      }
      passing[position] = passes ? 1 : 0;
    }
    return (position) => passing[position] === 1;
  }

  add(values: Values, key: string | undefined, time: number): void {
    checkLength('vector', trueLength(values), this.#options.dimensions);
    this.#append((store) => store.load('vector', values), key, time);
  }

  /** Adds the entries of a snapshot taken `elapsedMs` before `now`; forgets all when that fails. */
  restore({ ages, vectors, metadata }: Snapshot, now: number, elapsedMs: number): void {
    try {
      if (ages.length > 0) this.expect(ages.length);
      for (let position = 0; position < ages.length; position++) {
        const load = (store: VectorStore) =>
          store.loadUnit(vectors, position * metadata.dimensions);
        const time = now - elapsedMs - (ages[position] as number);
        this.#append(load, metadata.keys?.[position] ?? undefined, time);
      }
    } catch (error) {
      this.clear();
      throw error;
    }
  }

  toBytes(now: number): Uint8Array {
    if (this.log.erased > 0) this.#compact();
    const { log } = this;
    const { dimensions, maxElements, embedderId = null } = this.#options;
    const ttlMs = Number.isFinite(this.#options.ttlMs) ? this.#options.ttlMs : null;
    const count = log.size;
    const keys = log.hasKeys ? Array.from({ length: count }, (_, at) => log.key(at) ?? null) : null;
    const metadata = { count, dimensions, maxElements, ttlMs, embedderId, keys };
    const { ages, vectors, seal } = allocating('a snapshot', count, () => openSnapshot(metadata));
    for (let position = 0; position < count; position++) ages[position] = now - log.time(position);
    this.#vectors?.read(0, count, vectors, 0);
    return seal();
  }

  /** A copy of the vector at a position. */
  vector(position: number): Float32Array {
    const vector = new Float32Array(this.#options.dimensions);
    this.#vectors?.read(position, 1, vector, 0);
    return vector;
  }

  /** Forgets the oldest rows. */
  dropOldest(count: number): void {
    if (count === this.log.rows) {
      this.clear();
    } else if (count > 0) {
      this.#vectors?.dropOldest(count);
      this.log.dropOldest(count);
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
    const store = this.#vectors;
    if (store === undefined || log.rows < store.limit || log.size === maxElements) return;
    if (store.limit > maxElements) {
      this.#compact();
      return;
    }
    try {
      store.raiseLimit(
        maxElements + Math.max(SPARE_ROWS_MIN, Math.ceil(maxElements * SPARE_SHARE)),
      );
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
    const { dimensions, maxElements } = this.#options;
    this.#vectors = new ScalarStore(dimensions, maxElements);
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
    return new ScalarStore(dimensions, maxElements);
  }

  #mayFallBack(error: unknown): boolean {
    return this.#options.engine === undefined && error instanceof OutOfMemoryError;
  }
}
