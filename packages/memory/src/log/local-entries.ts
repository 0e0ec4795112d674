import type { MemoryAnswer, NearestTrace } from '@kp/scoring';
import { type Neighbor, VectorCache } from '@kp/vector-cache';
import { damagedError } from '../errors.ts';
import { Foresight } from './foresight.ts';
import type { LogRow, NewRow, Space } from './log.ts';
import { VectorReader } from './vector-bytes.ts';

/** What is known of a key beside its vector. */
interface Known {
  /** Its key in the cache, which is unique. */
  readonly entry: string;
  /** Where its key was first seen: it is compared with what lies before. */
  readonly place: number;
  /** The row that holds its vector; after `place` when it was replaced. */
  readonly position: number;
  readonly print: number;
  /** How many entries its first sight was compared with. */
  readonly comparedWith: number;
}

/**
 * The entries that the log has so far, in the process: a function of the rows alone, so that
 * everyone who has read as far has the same entries and gives the same answers.
 */
export class LocalEntries {
  readonly #cache: VectorCache;
  readonly #vectors: VectorReader;
  readonly #foresight: Foresight;
  /** The latest entry of each key. */
  readonly #known = new Map<string, Known>();
  /** The entries before it, oldest first, of keys that were added more than once. */
  readonly #earlier = new Map<string, Known[]>();
  // Time by the rows' clock with its backward steps left out: a clock that jumps ahead for a while
  // makes entries old too early, but never ageless.
  #age = 0;
  #lastTime: number | undefined;

  constructor(space: Space) {
    const { dimensions, ttlMs } = space;
    const maxElements = Math.min(space.maxElements, MOST_ELEMENTS);
    const now = (): number => this.#age;
    const createCache = () => new VectorCache({ dimensions, maxElements, ttlMs, now });
    this.#cache = createCache();
    this.#foresight = new Foresight(createCache);
    this.#vectors = new VectorReader(dimensions);
  }

  get size(): number {
    return this.#cache.size;
  }

  /** Takes the memory for so many entries at once, so that nothing waits for it to grow. */
  expect(count: number): void {
    this.#cache.reserve(count);
  }

  /** Position of the oldest row that is still needed; undefined when none is. */
  get oldestPosition(): number | undefined {
    const oldest = this.#cache.entries().next().value?.key;
    if (oldest === undefined) return undefined;
    return this.#all(keyOf(oldest)).find(({ entry }) => entry === oldest)?.position;
  }

  /** Lets time pass to what the clock of the rows shows. */
  advance(time: number): void {
    if (this.#lastTime !== undefined && time > this.#lastTime) this.#age += time - this.#lastTime;
    this.#lastTime = time;
  }

  /** Whether a key is remembered with this very vector. */
  holds(key: string, vector: Float32Array): boolean {
    const known = this.#find(key);
    if (known === undefined) return false;
    this.#vectors.read(vector);
    return known.print === this.#vectors.fingerprint();
  }

  /** Whether a row's vector is among what is remembered. */
  keeps({ key, position }: LogRow): boolean {
    return this.#all(key).some((known) => known.position === position);
  }

  nearest(vector: Float32Array, floor?: number): NearestTrace | undefined {
    return traceOf(this.#cache.nearest(vector, { floor }));
  }

  /** Begins anew with {@link foresee}. */
  foreseeNone(): void {
    this.#foresight.clear();
  }

  /** Makes use of the time until a row comes: what lies before it is compared with already. */
  foresee({ kind, key, operationId, vector }: NewRow): void {
    if (kind === 'replace' && this.#find(key) !== undefined) return;
    this.#foresight.note(operationId, this.#cache.nearest(vector));
  }

  /** The answer that a remembered key had: against what lies before its place. */
  repeat(key: string, vector: Float32Array): MemoryAnswer {
    const known = this.#all(key)[0];
    if (known === undefined) return this.#compare(vector);
    return this.#answerBefore(vector, known.place, known.comparedWith);
  }

  /** What the row at a position was answered, as far as what it was compared with is still there. */
  answerAt(position: number, key: string, vector: Float32Array | Uint8Array): MemoryAnswer {
    const known = this.#all(key).find((each) => each.position === position);
    const { place = position, comparedWith } = known ?? {};
    return this.#answerBefore(this.#vectors.read(vector), place, comparedWith);
  }

  /**
   * Takes a row in.
   *
   * @param given - the row's vector, or the caller's own copy of it.
   * @param isAsked - whether the row is compared with all before it first.
   * @throws what `VectorCache` throws for a vector it refuses; the row is then not taken in.
   */
  take(
    row: LogRow,
    given: Float32Array | Uint8Array | undefined,
    isAsked: boolean,
  ): MemoryAnswer | undefined {
    this.advance(row.addedAt);
    if (row.kind === 'forget') this.#erase(positionsOf(row));
    if (given === undefined || row.kind === 'forget' || row.kind === 'erased') return undefined;
    const vector = this.#vectors.read(given);
    const print = this.#vectors.fingerprint();
    const { key, position, operationId } = row;
    const isRemembered = this.#find(key) !== undefined;
    if (row.kind === 'add' || !isRemembered) {
      const answer = isAsked ? this.#compare(vector, operationId) : undefined;
      const entry = isRemembered ? `${key}${SEPARATOR}${position}` : key;
      this.#add(vector, key, { entry, place: position, position, print, comparedWith: this.size });
      return answer;
    }
    const answer = isAsked ? this.repeat(key, vector) : undefined;
    const [first, ...others] = this.#all(key) as [Known, ...Known[]];
    if (first.print !== print || others.length > 0) {
      this.#remove(key);
      this.#add(vector, key, { ...first, entry: key, position, print });
    }
    return answer;
  }

  #compare(vector: Float32Array, operationId?: string): MemoryAnswer {
    const comparedWith = this.#cache.size;
    const isHere = (entry: string): boolean => this.#cache.has(entry);
    const foreseen = this.#foresight.nearest(operationId, vector, isHere);
    return { nearest: traceOf(foreseen ?? this.#cache.nearest(vector)), comparedWith };
  }

  #answerBefore(
    vector: Float32Array,
    place: number,
    comparedWith: number | undefined,
  ): MemoryAnswer {
    const filter = (entry: string | undefined) => this.#placeOf(entry ?? '') < place;
    const nearest = traceOf(this.#cache.nearest(vector, { filter }));
    // All that it was compared with may be gone since.
    return { nearest, comparedWith: nearest === undefined ? 0 : comparedWith };
  }

  #add(vector: Float32Array, key: string, known: Known): void {
    const latest = this.#find(key);
    this.#cache.add(vector, known.entry);
    this.#foresight.added(vector, known.entry);
    this.#known.set(key, known);
    if (latest !== undefined) {
      const earlier = this.#earlier.get(key) ?? [];
      while (earlier[0] !== undefined && !this.#isHere(earlier[0])) earlier.shift();
      earlier.push(latest);
      this.#earlier.set(key, earlier);
    }
    // Entries leave by age and number without a word; what is known of them goes here.
    if (this.#known.size > 2 * this.#cache.size + 1000) {
      for (const each of this.#known.keys()) this.#find(each);
    }
  }

  /** What is known of a key that is remembered; forgets what is known of one that is not. */
  #find(key: string): Known | undefined {
    const known = this.#known.get(key);
    // The latest of a key is the last to leave.
    if (known === undefined || this.#isHere(known)) return known;
    this.#known.delete(key);
    this.#earlier.delete(key);
    return undefined;
  }

  /** All of a key, oldest first. */
  #all(key: string): Known[] {
    const latest = this.#find(key);
    if (latest === undefined) return [];
    const earlier = this.#earlier.get(key) ?? [];
    return [...earlier.filter((known) => this.#isHere(known)), latest];
  }

  #isHere({ entry }: Known): boolean {
    return this.#cache.has(entry);
  }

  #placeOf(entry: string): number {
    const latest = this.#known.get(keyOf(entry));
    if (latest?.entry === entry) return latest.place;
    return this.#earlier.get(keyOf(entry))?.find((known) => known.entry === entry)?.place ?? 0;
  }

  #remove(key: string): void {
    for (const { entry } of this.#all(key)) {
      this.#cache.delete(entry);
      this.#foresight.removed(entry);
    }
    this.#known.delete(key);
    this.#earlier.delete(key);
  }

  #erase(positions: ReadonlySet<number>): void {
    for (const key of this.#known.keys()) {
      const isMeant = this.#all(key).some(
        ({ position, place }) => positions.has(position) || positions.has(place),
      );
      if (isMeant) this.#remove(key);
    }
  }
}

/** More are kept by no process: it is the most that a cache takes. */
const MOST_ELEMENTS = 2 ** 31 - 1;

// The cache's keys are those of the traces, and where one is there more than once, with the place.
// No key of a trace has a NUL.
const SEPARATOR = '\u0000';

function keyOf(entry: string): string {
  const end = entry.indexOf(SEPARATOR);
  return end === -1 ? entry : entry.slice(0, end);
}

/** What a row forgets. */
function positionsOf({ key, position }: LogRow): ReadonlySet<number> {
  try {
    const positions: unknown = JSON.parse(key);
    if (Array.isArray(positions)) return new Set(positions);
  } catch {
    // As an answer of another kind.
  }
  throw damagedError(
    `position ${position}`,
    'a list of positions',
    JSON.stringify(key.slice(0, 40)),
  );
}

function traceOf(neighbor: Neighbor | undefined): NearestTrace | undefined {
  if (neighbor?.key === undefined) return undefined;
  return { key: keyOf(neighbor.key), similarity: neighbor.similarity };
}
