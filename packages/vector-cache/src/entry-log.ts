import { allocating } from './errors.ts';

const INITIAL_CAPACITY = 16;

/** Finds entries by key. Its columns have the same slots as those of the log. */
interface KeyIndex {
  /** Number of the newest entry under each key. */
  readonly newest: Map<string, number>;
  /** Number of each entry, ascending from the oldest. */
  numbers: Float64Array;
  /** Number of the previous entry with the same key, which may have been removed; -1 for none. */
  previous: Float64Array;
}

/**
 * Time and key of each row in order of age, in columns beside the vectors. Deleting an entry leaves an
 * erased row until the rows are compacted; the oldest row is never erased. Full columns are replaced
 * by columns of twice the number of rows.
 */
export class EntryLog {
  /** NaN for an erased row. */
  #times = new Float64Array(INITIAL_CAPACITY);
  // Created for the first key, because callers that need only a similarity do not use keys.
  #keys: (string | undefined)[] | undefined;
  // Created by the first look-up of a key; without it, `append` does not have to maintain an index.
  #index: KeyIndex | undefined;
  /** Slot of the oldest row. */
  #start = 0;
  /** Entries and erased rows. */
  rows = 0;
  erased = 0;
  /** The number that the next entry will have. */
  nextNumber = 0;

  /** Number of entries. */
  get size(): number {
    return this.rows - this.erased;
  }

  /** Memory for times and numbers. */
  get bytes(): number {
    return this.#times.byteLength * (this.#index === undefined ? 1 : 3);
  }

  /** The key of each row, null for none; null if no row has a key. */
  keys(): (string | null)[] | null {
    if (this.#keys === undefined) return null;
    return Array.from({ length: this.rows }, (_, position) => this.key(position) ?? null);
  }

  /** @throws OutOfMemoryError when there is no room; the log is unchanged. */
  append(time: number, key: string | undefined): void {
    if (this.#start + this.rows === this.#times.length) this.#move();
    const slot = this.#start + this.rows;
    const index = this.#index;
    if (index !== undefined) allocating('a key', this.size, () => this.#enter(index, slot, key));
    this.#times[slot] = time;
    if (key !== undefined) this.#keys ??= [];
    if (this.#keys !== undefined) this.#keys[slot] = key;
    this.rows++;
    this.nextNumber++;
  }

  dropOldest(count: number): void {
    for (let position = 0; position < count; position++) this.#forget(position);
    this.#start += count;
    this.rows -= count;
  }

  /** Number of the oldest rows that are erased or of the age `ttlMs` or more. */
  expired(now: number, ttlMs: number): number {
    let count = 0;
    while (count < this.rows && !(now - this.time(count) < ttlMs)) count++;
    return count;
  }

  clear(): void {
    this.#times = new Float64Array(INITIAL_CAPACITY);
    this.#keys = undefined;
    this.#index = undefined;
    this.#start = 0;
    this.rows = 0;
    this.erased = 0;
  }

  time(position: number): number {
    return this.#times[this.#start + position];
  }

  key(position: number): string | undefined {
    return this.#keys?.[this.#start + position];
  }

  /** The number of an entry never changes; its position does. */
  number(position: number): number {
    if (this.#index !== undefined) return this.#index.numbers[this.#start + position];
    // Without an index nothing was erased, so the numbers are consecutive.
    return this.nextNumber - this.rows + position;
  }

  isErased(position: number): boolean {
    return Number.isNaN(this.time(position));
  }

  /** Number of consecutive erased rows from a position on. */
  leadingErased(from = 0): number {
    let position = from;
    while (position < this.rows && this.isErased(position)) position++;
    return position - from;
  }

  /** @throws OutOfMemoryError when the first look-up finds no room for an index. */
  has(key: string): boolean {
    return this.#keys !== undefined && this.#openIndex().newest.has(key);
  }

  /**
   * Erases all entries under a key.
   *
   * @returns their positions; rows stay where they are.
   * @throws as {@link has}.
   */
  erase(key: string): number[] {
    if (!this.has(key)) return [];
    const { newest, previous } = this.#openIndex();
    const oldest = this.number(0);
    const positions: number[] = [];
    for (let number = newest.get(key) as number; number >= oldest; ) {
      const position = this.positionFrom(number);
      const slot = this.#start + position;
      positions.push(position);
      this.#times[slot] = NaN;
      if (this.#keys !== undefined) this.#keys[slot] = undefined;
      number = previous[slot];
    }
    newest.delete(key);
    this.erased += positions.length;
    return positions;
  }

  /** The first position whose entry has this number or a later one; `rows` if there is none. */
  positionFrom(number: number): number {
    let low = 0;
    let high = this.rows;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (this.number(middle) < number) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  /** Removes the erased rows. */
  compact(): void {
    const columns = [this.#keys, this.#index?.numbers, this.#index?.previous, this.#times];
    const end = this.#start + this.rows;
    let to = this.#start;
    for (let from = to; from < end; from++) {
      if (Number.isNaN(this.#times[from])) continue;
      for (const column of columns) if (column !== undefined) column[to] = column[from] as never;
      to++;
    }
    this.#keys?.splice(to);
    this.rows = this.size;
    this.erased = 0;
  }

  #openIndex(): KeyIndex {
    this.#index ??= allocating('an index of the keys', this.size, () => this.#createIndex());
    return this.#index;
  }

  #createIndex(): KeyIndex {
    const { length } = this.#times;
    const [numbers, previous] = [new Float64Array(length), new Float64Array(length)];
    const index = { newest: new Map<string, number>(), numbers, previous };
    for (let position = 0; position < this.rows; position++) {
      const number = this.number(position);
      this.#enter(index, this.#start + position, this.key(position), number);
    }
    return index;
  }

  #enter(index: KeyIndex, slot: number, key: string | undefined, number = this.nextNumber): void {
    const { newest, numbers, previous } = index;
    numbers[slot] = number;
    if (key === undefined) return;
    previous[slot] = newest.get(key) ?? -1;
    newest.set(key, number);
  }

  #forget(position: number): void {
    if (this.isErased(position)) {
      this.erased--;
      return;
    }
    const key = this.key(position);
    if (this.#keys === undefined || key === undefined) return;
    this.#keys[this.#start + position] = undefined;
    const newest = this.#index?.newest;
    if (newest?.get(key) === this.number(position)) newest.delete(key);
  }

  #move(): void {
    const [start, index] = [this.#start, this.#index];
    const capacity = Math.max(INITIAL_CAPACITY, this.rows * 2);
    const [times, numbers, previous] = allocating('one more entry', this.size, () =>
      [this.#times, index?.numbers, index?.previous].map((column) => {
        if (column === undefined) return undefined;
        const moved = new Float64Array(capacity);
        moved.set(column.subarray(start));
        return moved;
      }),
    );
    this.#keys = this.#keys?.slice(start);
    if (index !== undefined) Object.assign(index, { numbers, previous });
    this.#times = times as Float64Array<ArrayBuffer>;
    this.#start = 0;
  }
}
