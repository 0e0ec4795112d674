import { MAX_VECTORS } from '@kp/foundation';
import type { MemoryAnswer, NearestTrace } from '@kp/scoring';
import { VectorCache } from '@kp/vector-cache';
import { keyOf, laterEntryOf, traceOf } from './entry-keys.ts';
import { damagedError } from './errors.ts';
import { ExpiredEntries } from './expired-entries.ts';
import type { LogRow, NamespaceSettings, NewRow } from './log.ts';
import { OverlappedSearch } from './overlapped-search.ts';
import { VectorReader } from './vector-bytes.ts';

/** An entry of the cache. */
interface KnownEntry {
  /** Its unique key in the cache. */
  readonly entry: string;
  /** Position at which its key was first added: it is compared with the entries before. */
  readonly firstPosition: number;
  /** Position of the row with its vector; after `firstPosition` if it was replaced. */
  readonly position: number;
  readonly checksum: number;
  /** Number of entries that it was compared with when its key was first added. */
  readonly comparedWith: number;
}

/**
 * The entries of the log in the process. They depend on the rows alone, so every process that has
 * read the same rows has the same entries and gives the same answers.
 */
export class LocalEntries {
  readonly #cache: VectorCache;
  readonly #maxElements: number;
  readonly #vectors: VectorReader;
  readonly #overlapped: OverlappedSearch;
  readonly #expired: ExpiredEntries;
  /** The latest entry of each key. */
  readonly #latest = new Map<string, KnownEntry>();
  /** Earlier entries of keys that were added more than once, oldest first. */
  readonly #earlier = new Map<string, KnownEntry[]>();
  // Sum of the forward steps of the rows' clock: after a jump ahead entries expire early, and a step
  // back never stops them from expiring.
  #age = 0;
  #lastTime: number | undefined;
  /** The age at the present time, when the log was read last. */
  #present = 0;

  constructor({ dimensions, ttlMs, maxElements: limit }: NamespaceSettings) {
    const maxElements = Math.min(limit, MAX_VECTORS);
    const now = (): number => this.#age;
    const createCache = () => new VectorCache({ dimensions, maxElements, ttlMs, now });
    this.#maxElements = maxElements;
    this.#cache = createCache();
    this.#overlapped = new OverlappedSearch(createCache, () => this.#cache.size);
    this.#expired = new ExpiredEntries(this.#cache, ttlMs);
    this.#vectors = new VectorReader(dimensions);
  }

  get size(): number {
    return this.#cache.size - this.#expired.size;
  }

  /** The position of each key's latest entry. */
  positions(): ReadonlyMap<string, number> {
    const all = [...this.#latest].filter(([, known]) => this.#isRemembered(known));
    return new Map(all.map(([key, { position }]) => [key, position]));
  }

  /** How many of these entries are missing, apart from those that made room for newer ones. */
  countMissing(positions: ReadonlyMap<string, number>): number {
    const oldest = this.#cache.size < this.#maxElements ? 0 : (this.oldestPosition ?? 0);
    const missing = [...positions].filter(
      ([key, position]) => position >= oldest && this.#find(key)?.position !== position,
    );
    return missing.length;
  }

  /** Allocates memory for that many entries at once. */
  reserve(count: number): void {
    this.#cache.reserve(count);
  }

  /** Position of the oldest row that is still needed; undefined when there is no entry. */
  get oldestPosition(): number | undefined {
    const oldest = this.#cache.entries().next().value?.key;
    if (oldest === undefined) return undefined;
    return this.#all(keyOf(oldest)).find(({ entry }) => entry === oldest)?.position;
  }

  /** Leaves out, until the next row, the entries that are too old at a time of the rows' clock. */
  hideExpired(time: number): void {
    this.#present = this.#age + Math.max(0, time - (this.#lastTime ?? time));
    this.#expired.update(this.#present);
  }

  /** The keys that were neither added nor changed for that time, oldest first. */
  keysOlderThan(ageMs: number): string[] {
    const keys: string[] = [];
    for (const { key: entry = '', addedAt } of this.#cache.entries()) {
      if (this.#present - addedAt < ageMs) break;
      const key = keyOf(entry);
      if (this.#latest.get(key)?.entry === entry) keys.push(key);
    }
    return keys;
  }

  /** Whether the latest entry of a key has exactly this vector. */
  holds(key: string, vector: Float32Array): boolean {
    const known = this.#find(key);
    if (known === undefined || this.#expired.has(known.entry)) return false;
    this.#vectors.read(vector);
    return known.checksum === this.#vectors.checksum();
  }

  /** Whether the vector of a row is still remembered. */
  keeps({ key, position }: LogRow): boolean {
    return this.#all(key).some(
      (known) => known.position === position && !this.#expired.has(known.entry),
    );
  }

  nearest(vector: Float32Array, floor?: number): NearestTrace | undefined {
    const filter = (entry: string | undefined) => !this.#expired.has(entry ?? '');
    const options = this.#expired.size === 0 ? { floor } : { floor, filter };
    return traceOf(this.#cache.nearest(vector, options));
  }

  /** Drops the results of {@link searchAhead}. */
  resetSearchAhead(): void {
    this.#overlapped.clear();
  }

  /** Compares a row with all entries before it is applied. */
  searchAhead({ kind, key, operationId, vector }: NewRow): void {
    if (kind === 'replace' && this.#find(key) !== undefined) return;
    this.#overlapped.record(operationId, this.#cache.nearest(vector));
  }

  /** Returns the answer for a key when it was first added. */
  repeat(key: string, vector: Float32Array): MemoryAnswer {
    const known = this.#all(key)[0];
    if (known === undefined) return this.#compare(vector, '');
    return this.#answerBefore(vector, known.firstPosition, known.comparedWith);
  }

  /** The answer that the row at a position was given, among the entries that are still remembered. */
  answerOfRow(position: number, key: string, vector: Float32Array | Uint8Array): MemoryAnswer {
    const known = this.#all(key).find((each) => each.position === position);
    const { firstPosition = position, comparedWith } = known ?? {};
    return this.#answerBefore(this.#vectors.read(vector), firstPosition, comparedWith);
  }

  /**
   * Applies a row.
   *
   * @param given - the vector of the row.
   * @param isCompared - whether to compare it with all entries before it.
   * @throws what `VectorCache` throws for an invalid vector; the row is then not applied.
   */
  apply(
    row: LogRow,
    given: Float32Array | Uint8Array | undefined,
    isCompared: boolean,
  ): MemoryAnswer | undefined {
    this.#expired.clear();
    const { addedAt } = row;
    this.#age += Math.max(0, addedAt - (this.#lastTime ?? addedAt));
    this.#lastTime = addedAt;
    if (row.kind === 'forget') this.#erase(positionsOf(row));
    if (given === undefined || row.kind === 'forget' || row.kind === 'erased') return undefined;
    const vector = this.#vectors.read(given);
    const checksum = this.#vectors.checksum();
    const { key, position, operationId = '' } = row;
    const isRemembered = this.#find(key) !== undefined;
    if (row.kind === 'add' || !isRemembered) {
      const answer = isCompared ? this.#compare(vector, operationId) : undefined;
      const entry = isRemembered ? laterEntryOf(key, position) : key;
      const comparedWith = this.size;
      this.#add(vector, key, { entry, firstPosition: position, position, checksum, comparedWith });
      return answer;
    }
    const answer = isCompared ? this.repeat(key, vector) : undefined;
    // An equal vector changes nothing, not even the age: the reader appends no row for most repeats.
    const [first, ...others] = this.#all(key) as [KnownEntry, ...KnownEntry[]];
    if (first.checksum !== checksum || others.length > 0) {
      this.#remove(key);
      this.#add(vector, key, { ...first, entry: key, position, checksum });
    }
    return answer;
  }

  #compare(vector: Float32Array, operationId: string): MemoryAnswer {
    const comparedWith = this.#cache.size;
    const overlapped = this.#overlapped.take(operationId, vector, (entry) =>
      this.#cache.has(entry),
    );
    return { nearest: traceOf(overlapped ?? this.#cache.nearest(vector)), comparedWith };
  }

  #answerBefore(
    vector: Float32Array,
    position: number,
    comparedWith: number | undefined,
  ): MemoryAnswer {
    const filter = (entry = '') =>
      this.#firstPositionOf(entry) < position && !this.#expired.has(entry);
    const nearest = traceOf(this.#cache.nearest(vector, { filter }));
    // The entries that it was compared with may be gone.
    return { nearest, comparedWith: nearest === undefined ? 0 : comparedWith };
  }

  #add(vector: Float32Array, key: string, known: KnownEntry): void {
    const latest = this.#find(key);
    this.#cache.add(vector, known.entry);
    this.#overlapped.added(vector, known.entry);
    this.#latest.set(key, known);
    if (latest !== undefined) {
      const earlier = this.#earlier.get(key) ?? [];
      while (earlier[0] !== undefined && !this.#isRemembered(earlier[0])) earlier.shift();
      earlier.push(latest);
      this.#earlier.set(key, earlier);
    }
    // The cache drops entries by age and number without notice; drop what is known of them.
    if (this.#latest.size > 2 * this.#cache.size + 1000) {
      for (const each of this.#latest.keys()) this.#find(each);
    }
  }

  /** The latest entry of a key. */
  #find(key: string): KnownEntry | undefined {
    const known = this.#latest.get(key);
    // The latest entry of a key is the last to expire.
    if (known === undefined || this.#isRemembered(known)) return known;
    this.#latest.delete(key);
    this.#earlier.delete(key);
    return undefined;
  }

  /** All entries of a key, oldest first. */
  #all(key: string): KnownEntry[] {
    const latest = this.#find(key);
    if (latest === undefined) return [];
    const earlier = this.#earlier.get(key) ?? [];
    return [...earlier.filter((known) => this.#isRemembered(known)), latest];
  }

  #isRemembered({ entry }: KnownEntry): boolean {
    return this.#cache.has(entry);
  }

  #firstPositionOf(entry: string): number {
    const key = keyOf(entry);
    const latest = this.#latest.get(key);
    if (latest?.entry === entry) return latest.firstPosition;
    return this.#earlier.get(key)?.find((known) => known.entry === entry)?.firstPosition ?? 0;
  }

  #remove(key: string): void {
    for (const { entry } of this.#all(key)) {
      this.#cache.delete(entry);
      this.#overlapped.removed(entry);
    }
    this.#latest.delete(key);
    this.#earlier.delete(key);
  }

  #erase(positions: ReadonlySet<number>): void {
    for (const key of this.#latest.keys()) {
      const isErased = this.#all(key).some(
        ({ position, firstPosition }) => positions.has(position) || positions.has(firstPosition),
      );
      if (isErased) this.#remove(key);
    }
  }
}

/** The positions that a `forget` row names. */
function positionsOf({ key, position }: LogRow): ReadonlySet<number> {
  try {
    const positions: unknown = JSON.parse(key);
    if (Array.isArray(positions)) return new Set(positions);
  } catch {
    // Reported below.
  }
  throw damagedError(
    `position ${position}`,
    'a list of positions',
    JSON.stringify(key.slice(0, 40)),
  );
}
