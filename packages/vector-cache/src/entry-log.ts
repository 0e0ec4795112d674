const INITIAL_CAPACITY = 16;

/** Time and key of each entry in order of age: a ring buffer beside the vectors. */
export class EntryLog {
  #times = new Float64Array(INITIAL_CAPACITY);
  // Made with the first key: most callers that want one number never name their vectors.
  #keys: (string | undefined)[] | undefined;
  #head = 0;
  #size = 0;

  get size(): number {
    return this.#size;
  }

  /** Memory held for the times. */
  get bytes(): number {
    return this.#times.byteLength;
  }

  get hasKeys(): boolean {
    return this.#keys !== undefined;
  }

  append(time: number, key: string | undefined): void {
    if (this.#size === this.#times.length) this.#grow();
    const slot = this.#slot(this.#size);
    this.#times[slot] = time;
    if (key !== undefined && this.#keys === undefined) this.#keys = [];
    if (this.#keys !== undefined) this.#keys[slot] = key;
    this.#size++;
  }

  dropOldest(count: number): void {
    if (this.#keys !== undefined) {
      for (let position = 0; position < count; position++) {
        this.#keys[this.#slot(position)] = undefined;
      }
    }
    this.#head = this.#slot(count);
    this.#size -= count;
  }

  clear(): void {
    this.#times = new Float64Array(INITIAL_CAPACITY);
    this.#keys = undefined;
    this.#head = 0;
    this.#size = 0;
  }

  time(position: number): number {
    return this.#times[this.#slot(position)] as number;
  }

  key(position: number): string | undefined {
    return this.#keys?.[this.#slot(position)];
  }

  #slot(position: number): number {
    const slot = this.#head + position;
    return slot < this.#times.length ? slot : slot - this.#times.length;
  }

  #grow(): void {
    const times = new Float64Array(this.#times.length * 2);
    times.set(this.#times.subarray(this.#head));
    times.set(this.#times.subarray(0, this.#head), this.#times.length - this.#head);
    if (this.#keys !== undefined) {
      const keys = this.#keys;
      keys.length = this.#times.length;
      this.#keys = keys.slice(this.#head).concat(keys.slice(0, this.#head));
    }
    this.#times = times;
    this.#head = 0;
  }
}
