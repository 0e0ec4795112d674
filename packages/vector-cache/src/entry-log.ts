import { allocating } from './errors.ts';

const INITIAL_CAPACITY = 16;

/** What finds entries by key; arrays of slots, like those of the log. */
interface KeyIndex {
  /** Number of the newest entry under each key. */
  readonly newest: Map<string, number>;
  /** Number of each entry: they count up in order of age. */
  numbers: Float64Array;
  /** Number of the entry added before under the same key; -1: there was none. It may be gone. */
  previous: Float64Array;
}

/**
 * Time and key of each row in order of age: a ring buffer beside the vectors. An entry deleted from
 * the middle leaves an erased row behind until the rows are compacted; the oldest row is never one.
 */
export class EntryLog {
  /** NaN: erased. */
  #times = new Float64Array(INITIAL_CAPACITY);
  // Made with the first key: most callers that want one number never name their vectors.
  #keys: (string | undefined)[] | undefined;
  // Made with the first look-up of a key: those who make none do not pay for it when they add.
  #index: KeyIndex | undefined;
  #head = 0;
  #rows = 0;
  #erased = 0;
  #nextNumber = 0;

  /** Entries there are. */
  get size(): number {
    return this.#rows - this.#erased;
  }

  /** Entries and erased rows. */
  get rows(): number {
    return this.#rows;
  }

  get erased(): number {
    return this.#erased;
  }

  /** Memory held for times and numbers. */
  get bytes(): number {
    return this.#times.byteLength * (this.#index === undefined ? 1 : 3);
  }

  get hasKeys(): boolean {
    return this.#keys !== undefined;
  }

  /** The number that the next entry will have. */
  get nextNumber(): number {
    return this.#nextNumber;
  }

  /** @throws OutOfMemoryError when there is no room for it; nothing has changed. */
  append(time: number, key: string | undefined): void {
    if (this.#rows === this.#times.length) this.#grow();
    const slot = this.#slot(this.#rows);
    const index = this.#index;
    if (index !== undefined) allocating('a key', this.size, () => this.#enter(index, slot, key));
    this.#times[slot] = time;
    if (key !== undefined && this.#keys === undefined) this.#keys = [];
    if (this.#keys !== undefined) this.#keys[slot] = key;
    this.#rows++;
    this.#nextNumber++;
  }

  dropOldest(count: number): void {
    for (let position = 0; position < count; position++) this.#forget(position);
    this.#head = this.#slot(count);
    this.#rows -= count;
  }

  /** Rows from the oldest on whose entries are erased or of the age `ttlMs` or more. */
  expired(now: number, ttlMs: number): number {
    let count = 0;
    while (count < this.#rows && !(now - this.time(count) < ttlMs)) count++;
    return count;
  }

  clear(): void {
    this.#times = new Float64Array(INITIAL_CAPACITY);
    this.#keys = undefined;
    this.#index = undefined;
    this.#head = 0;
    this.#rows = 0;
    this.#erased = 0;
  }

  time(position: number): number {
    return this.#times[this.#slot(position)] as number;
  }

  key(position: number): string | undefined {
    return this.#keys?.[this.#slot(position)];
  }

  /** Entries are numbered in the order they came, for good; positions change. */
  number(position: number): number {
    if (this.#index !== undefined) return this.#index.numbers[this.#slot(position)] as number;
    // Without an index nothing was erased: the numbers follow one another.
    return this.#nextNumber - this.#rows + position;
  }

  isErased(position: number): boolean {
    return Number.isNaN(this.time(position));
  }

  /** Erased rows that follow one another from a position on. */
  leadingErased(from = 0): number {
    let position = from;
    while (position < this.#rows && this.isErased(position)) position++;
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
      const slot = this.#slot(position);
      positions.push(position);
      this.#times[slot] = Number.NaN;
      if (this.#keys !== undefined) this.#keys[slot] = undefined;
      number = previous[slot] as number;
    }
    newest.delete(key);
    this.#erased += positions.length;
    return positions;
  }

  /** The first position whose entry has this number or a later one; `rows` when there is none. */
  positionFrom(number: number): number {
    let low = 0;
    let high = this.#rows;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (this.number(middle) < number) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  /** Gives up the erased rows: those before move up to the ones after. */
  compact(): void {
    let to = this.#rows - 1;
    for (let from = to; from >= 0; from--) {
      if (!this.isErased(from)) this.#move(this.#slot(from), this.#slot(to--));
    }
    for (let position = 0; position <= to; position++) {
      this.#times[this.#slot(position)] = Number.NaN;
      if (this.#keys !== undefined) this.#keys[this.#slot(position)] = undefined;
    }
    this.dropOldest(to + 1);
  }

  #slot(position: number): number {
    const slot = this.#head + position;
    return slot < this.#times.length ? slot : slot - this.#times.length;
  }

  #openIndex(): KeyIndex {
    this.#index ??= allocating('an index of the keys', this.size, () => this.#createIndex());
    return this.#index;
  }

  #createIndex(): KeyIndex {
    const { length } = this.#times;
    const [numbers, previous] = [new Float64Array(length), new Float64Array(length)];
    const index = { newest: new Map<string, number>(), numbers, previous };
    for (let position = 0; position < this.#rows; position++) {
      const number = this.number(position);
      this.#enter(index, this.#slot(position), this.key(position), number);
    }
    return index;
  }

  #enter(index: KeyIndex, slot: number, key: string | undefined, number = this.#nextNumber): void {
    const { newest, numbers, previous } = index;
    numbers[slot] = number;
    if (key === undefined) return;
    previous[slot] = newest.get(key) ?? -1;
    newest.set(key, number);
  }

  #forget(position: number): void {
    if (this.isErased(position)) {
      this.#erased--;
      return;
    }
    const key = this.key(position);
    if (this.#keys === undefined || key === undefined) return;
    this.#keys[this.#slot(position)] = undefined;
    const newest = this.#index?.newest;
    if (newest?.get(key) === this.number(position)) newest.delete(key);
  }

  #move(from: number, to: number): void {
    this.#times[to] = this.#times[from] as number;
    if (this.#keys !== undefined) this.#keys[to] = this.#keys[from];
    if (this.#index === undefined) return;
    const { numbers, previous } = this.#index;
    numbers[to] = numbers[from] as number;
    previous[to] = previous[from] as number;
  }

  #grow(): void {
    const [head, index, keys] = [this.#head, this.#index, this.#keys];
    const [times, numbers, previous] = allocating('one more entry', this.size, () =>
      [this.#times, index?.numbers, index?.previous].map((column) => unrolled(column, head)),
    );
    if (keys !== undefined) {
      keys.length = this.#times.length;
      this.#keys = keys.slice(head).concat(keys.slice(0, head));
    }
    if (index !== undefined) Object.assign(index, { numbers, previous });
    this.#times = times as Float64Array<ArrayBuffer>;
    this.#head = 0;
  }
}

/** A ring's values from its head on, with as much room again behind them. */
function unrolled(column: Float64Array | undefined, head: number): Float64Array | undefined {
  if (column === undefined) return undefined;
  const twice = new Float64Array(column.length * 2);
  twice.set(column.subarray(head));
  twice.set(column.subarray(0, head), column.length - head);
  return twice;
}
