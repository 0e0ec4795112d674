import type { Neighbor, VectorCache } from '@kp/vector-cache';

// Past this, comparing with what came since costs as much as it saves.
const MOST_SINCE = 1000;

/**
 * What was nearest to vectors while their rows were under way to the log, and what was remembered
 * since: the two together answer as a search of all does when the rows come.
 */
export class Foresight {
  readonly #createCache: () => VectorCache;
  readonly #found = new Map<string, Neighbor>();
  /** Exactly those entries that came after the first search; none while that is undefined. */
  #since: VectorCache | undefined;

  /** @param createCache - an empty one that drops entries as the cache of all does. */
  constructor(createCache: () => VectorCache) {
    this.#createCache = createCache;
  }

  /** Notes what was nearest to the vector of an operation among all entries. */
  note(operationId: string, nearest: Neighbor | undefined): void {
    if (nearest !== undefined) this.#found.set(operationId, nearest);
  }

  /**
   * What is nearest now; the operation is then done with.
   *
   * @param isHere - whether an entry is remembered still.
   * @returns undefined when only a search of all can tell.
   */
  nearest(
    operationId: string | undefined,
    vector: Float32Array,
    isHere: (entry: string) => boolean,
  ): Neighbor | undefined {
    const found = this.#found.get(operationId ?? '');
    const since = this.#since;
    this.#drop(operationId);
    // The most similar of all is the most similar of those left, unless it is gone itself; an entry
    // of its name that came since is another.
    const entry = found?.key;
    if (found === undefined || entry === undefined) return undefined;
    if (!isHere(entry) || since?.has(entry)) return undefined;
    const newer = since?.nearest(vector);
    // Of equals the oldest is the nearest.
    return newer !== undefined && newer.similarity > found.similarity ? newer : found;
  }

  clear(): void {
    this.#found.clear();
    this.#since = undefined;
  }

  added(vector: Float32Array, entry: string): void {
    if (this.#found.size === 0) return;
    this.#since ??= this.#createCache();
    this.#since.add(vector, entry);
    if (this.#since.size === MOST_SINCE) this.clear();
  }

  removed(entry: string): void {
    this.#since?.delete(entry);
  }

  /** What comes after the last operation is of no interest. */
  #drop(operationId: string | undefined): void {
    this.#found.delete(operationId ?? '');
    if (this.#found.size === 0) this.#since = undefined;
  }
}
