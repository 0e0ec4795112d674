import { nextTask } from '@kp/foundation';
import type { Neighbor, VectorCache } from '@kp/vector-cache';
import type { EventLoopBudget } from './event-loop.ts';
import type { NewRow } from './log.ts';

// If there are more recent entries, a search of these costs about as much as a search of all
// entries.
const MIN_RECENT_LIMIT = 1000;
const MAX_RECENT_SHARE = 1 / 4;

/**
 * Searches while rows are on their way to the store. Keeps the nearest entry found for each
 * operation and the entries that were added since; together they give the same answer as a search
 * of all entries when the row arrives.
 */
export class OverlappedSearch {
  readonly #createCache: () => VectorCache;
  readonly #countAll: () => number;
  readonly #found = new Map<string, Neighbor>();
  /** The entries that were added after the first search. */
  #recent: VectorCache | undefined;

  /**
   * @param createCache - creates an empty cache with the same limits as the cache of all entries.
   * @param countAll - returns the number of all entries.
   */
  constructor(createCache: () => VectorCache, countAll: () => number) {
    this.#createCache = createCache;
    this.#countAll = countAll;
  }

  /** Records which of all entries is nearest to the vector of an operation. */
  record(operationId: string, nearest: Neighbor | undefined): void {
    if (nearest !== undefined) this.#found.set(operationId, nearest);
  }

  /**
   * Takes the result of an operation.
   *
   * @param isRemembered - whether an entry still exists.
   * @returns the nearest entry now; undefined when only a search of all entries can tell.
   */
  take(
    operationId: string,
    vector: Float32Array,
    isRemembered: (entry: string) => boolean,
  ): Neighbor | undefined {
    const found = this.#found.get(operationId);
    const recent = this.#recent;
    this.#found.delete(operationId);
    if (this.#found.size === 0) this.#recent = undefined;
    // If the nearest entry was removed, the second nearest is not known. An entry with its name
    // that was added since is another one.
    if (found?.key === undefined) return undefined;
    if (!isRemembered(found.key) || recent?.has(found.key)) return undefined;
    const newer = recent?.nearest(vector);
    // Of equally similar entries the oldest is the nearest.
    return newer !== undefined && newer.similarity > found.similarity ? newer : found;
  }

  clear(): void {
    this.#found.clear();
    this.#recent = undefined;
  }

  added(vector: Float32Array, entry: string): void {
    if (this.#found.size === 0) return;
    this.#recent ??= this.#createCache();
    this.#recent.add(vector, entry);
    if (this.#recent.size < MIN_RECENT_LIMIT) return;
    if (this.#recent.size >= this.#countAll() * MAX_RECENT_SHARE) this.clear();
  }

  removed(entry: string): void {
    this.#recent?.delete(entry);
  }
}

/** What can compare rows before they are applied. */
interface AheadSearcher {
  resetSearchAhead(): void;
  searchAhead(row: NewRow): void;
}

/** Compares rows while they are on their way to the store, until `answer` settles. */
export async function searchWhilePending(
  answer: Promise<unknown>,
  rows: readonly NewRow[],
  entries: AheadSearcher,
  budget: EventLoopBudget,
): Promise<void> {
  if (rows.length === 0) return;
  let isAnswered = false;
  const end = (): void => {
    isAnswered = true;
  };
  answer.then(end, end);
  entries.resetSearchAhead();
  // The rows leave before the first search.
  await nextTask();
  for (const row of rows) {
    if (isAnswered) return;
    entries.searchAhead(row);
    if (budget.isUsedUp()) await nextTask();
  }
}
