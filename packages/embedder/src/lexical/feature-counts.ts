const FIRST_SLOTS = 4_096;
/** A table larger than this, 5 MB in all, is let go after the text that needed it. */
const MOST_SLOTS_KEPT = 262_144;

/**
 * Counts 32-bit features and keeps the weight that each came with first. One flat table that is used
 * again for text after text; it doubles when it is half full.
 */
export class FeatureCounts {
  /** A feature a slot; 0 is an empty slot. */
  #keys: Uint32Array = new Uint32Array(FIRST_SLOTS);
  #counts: Uint32Array = new Uint32Array(FIRST_SLOTS);
  #weights: Float64Array = new Float64Array(FIRST_SLOTS);
  /** Slots in use, in the order of first appearance. */
  #used: Uint32Array = new Uint32Array(FIRST_SLOTS / 2);
  #size = 0;

  /**
   * Counts one occurrence.
   *
   * @param feature - a hash of at most 32 bits; 0 counts as 1.
   * @param weight - kept if this is the first occurrence.
   */
  add(feature: number, weight: number): void {
    const key = feature >>> 0 || 1;
    const keys = this.#keys;
    const mask = keys.length - 1;
    let slot = key & mask;
    for (;;) {
      const found = keys[slot];
      if (found === key) {
        this.#counts[slot] = (this.#counts[slot] as number) + 1;
        return;
      }
      if (found === 0) break;
      slot = (slot + 1) & mask;
    }
    keys[slot] = key;
    this.#counts[slot] = 1;
    this.#weights[slot] = weight;
    this.#used[this.#size++] = slot;
    if (this.#size === this.#used.length) this.#grow();
  }

  /** Hands out every feature with its count and weight, in the order of first appearance, and forgets it. */
  drain(receive: (feature: number, count: number, weight: number) => void): void {
    for (let i = 0; i < this.#size; i++) {
      const slot = this.#used[i] as number;
      receive(
        this.#keys[slot] as number,
        this.#counts[slot] as number,
        this.#weights[slot] as number,
      );
      this.#keys[slot] = 0;
    }
    this.#size = 0;
    if (this.#keys.length > MOST_SLOTS_KEPT) this.#allocate(FIRST_SLOTS);
  }

  #allocate(slots: number): void {
    this.#keys = new Uint32Array(slots);
    this.#counts = new Uint32Array(slots);
    this.#weights = new Float64Array(slots);
    this.#used = new Uint32Array(slots / 2);
  }

  #grow(): void {
    const keys = this.#keys;
    const counts = this.#counts;
    const weights = this.#weights;
    const used = this.#used;
    const length = keys.length * 2;
    this.#allocate(length);
    for (let i = 0; i < used.length; i++) {
      const from = used[i] as number;
      const key = keys[from] as number;
      let slot = key & (length - 1);
      while (this.#keys[slot] !== 0) slot = (slot + 1) & (length - 1);
      this.#keys[slot] = key;
      this.#counts[slot] = counts[from] as number;
      this.#weights[slot] = weights[from] as number;
      this.#used[i] = slot;
    }
  }
}
