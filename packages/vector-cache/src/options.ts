import { InvalidTypeError, InvalidValueError } from '@kp/foundation';

/** What computes the answers of a cache. */
export type Engine = 'wasm-simd' | 'typescript';

/** How a {@link VectorCache} is made. Every field may be left out. */
export interface VectorCacheOptions {
  /** Entries kept at most; past it the oldest goes first. Integer from 1; 1,000 when left out. */
  maxElements?: number;
  /** Length of every vector. Integer from 1 to 65,536; 384 when left out. */
  dimensions?: number;
  /** Age in milliseconds at which an entry is gone. Greater than 0; no limit when left out. */
  ttlMs?: number;
  /** Current time in milliseconds. `Date.now` when left out; going backwards counts as standing still. */
  now?: () => number;
  /** Names the embedding space of the vectors. Kept in snapshots, never compared with vectors. */
  embedderId?: string;
  /**
   * Keep the vectors alone, about 1,550 bytes each at 384 dimensions instead of 1,960. Answers are
   * the same; a query always reads every vector. false when left out.
   */
  flat?: boolean;
  /** What computes the answers; the fastest that works here when left out. */
  engine?: Engine;
}

/** An entry of a `VectorCache`, as a search finds it. */
export interface Neighbor {
  /** What `add` was given as the key; undefined when it was given none. */
  readonly key?: string;
  /** Cosine of the angle to the query, from -1 to 1; 0 when either vector is all zeros. */
  readonly similarity: number;
  /** When the entry was added, in milliseconds: readings of the clock, without its steps back. */
  readonly addedAt: number;
}

/** An entry of a `VectorCache`, as `entries` lists it. */
export interface Entry {
  /** What the vector was added under. */
  readonly key?: string;
  /** As in {@link Neighbor}. */
  readonly addedAt: number;
  /** `[dimensions]`, a copy, scaled to length 1; zeros stay zeros. */
  readonly vector: Float32Array;
}

/** What a search need not look for. */
export interface SearchOptions {
  /** Entries less similar than this do not count: the higher, the sooner the answer. */
  floor?: number;
  /**
   * Entries for which it does not answer true do not count. Asked once for every entry, the oldest
   * first, before the search; it must leave the cache alone.
   */
  filter?: (key: string | undefined, addedAt: number) => boolean;
}

/** What `VectorCache.fromBytes` may change or demand. */
export interface SnapshotOptions extends VectorCacheOptions {
  /** Milliseconds to add to every age: the time the snapshot lay unused. 0 when left out. */
  elapsedMs?: number;
}

/** {@link VectorCacheOptions} after checks, with every default filled in. */
export interface ResolvedOptions {
  readonly maxElements: number;
  readonly dimensions: number;
  readonly ttlMs: number;
  readonly now: () => number;
  readonly embedderId: string | undefined;
  readonly flat: boolean;
  readonly engine: Engine | undefined;
}

export const ENGINES: readonly Engine[] = ['wasm-simd', 'typescript'];
const MAX_ELEMENTS = 2 ** 31 - 1;
const MAX_DIMENSIONS = 65_536;

/**
 * Checks options and fills in the defaults.
 *
 * @throws {@link InvalidTypeError} when a field is of the wrong type.
 * @throws {@link InvalidValueError} when a field is outside its range.
 */
export function resolveOptions(options: VectorCacheOptions = {}): ResolvedOptions {
  if (typeof options !== 'object' || options === null) {
    throw new InvalidTypeError('options', 'an object', options);
  }
  const { maxElements = 1000, dimensions = 384, ttlMs = Infinity } = options;
  const { now = Date.now, embedderId } = options;
  checkInteger('maxElements', maxElements, MAX_ELEMENTS);
  checkInteger('dimensions', dimensions, MAX_DIMENSIONS);
  checkType('ttlMs', ttlMs, 'number');
  if (!(ttlMs > 0)) throw new InvalidValueError('ttlMs', 'milliseconds greater than 0', ttlMs);
  checkType('now', now, 'function');
  if (embedderId !== undefined) checkType('embedderId', embedderId, 'string');
  const { flat = false, engine } = options;
  checkType('flat', flat, 'boolean');
  if (engine !== undefined && !ENGINES.includes(engine)) {
    throw new InvalidValueError('engine', ENGINES.join(' or '), engine);
  }
  return { maxElements, dimensions, ttlMs, now, embedderId, flat, engine };
}

/** @throws unless `value` is an integer from 1 to `max`. */
export function checkInteger(
  subject: string,
  value: number,
  max: number = Number.MAX_SAFE_INTEGER,
): void {
  checkType(subject, value, 'number');
  if (!Number.isInteger(value) || value < 1 || value > max) {
    throw new InvalidValueError(subject, `an integer from 1 to ${max}`, value);
  }
}

/** @throws unless `typeof value` is `type`; NaN and infinities are numbers. */
export function checkType(
  subject: string,
  value: unknown,
  type: 'boolean' | 'function' | 'number' | 'string',
): void {
  if (typeof value !== type) throw new InvalidTypeError(subject, `a ${type}`, value);
}

/**
 * A clock that never goes backwards: an earlier reading than the last one counts as standing still,
 * and from there it goes on as the readings do. So entries stay sorted by age, and a single reading
 * from the future does not stop them from growing older.
 *
 * @returns a function that answers milliseconds.
 * @throws {@link InvalidValueError} from the returned function, when `now` answers no finite number.
 */
export function createMonotonicClock(now: () => number): () => number {
  let previous = -Infinity;
  let stepsBack = 0;
  let latest = -Infinity;
  return () => {
    const reading = now();
    if (!Number.isFinite(reading)) throw new InvalidValueError('now()', 'a finite number', reading);
    if (reading < previous) stepsBack += previous - reading;
    previous = reading;
    latest = Math.max(latest, reading + stepsBack);
    return latest;
  };
}
