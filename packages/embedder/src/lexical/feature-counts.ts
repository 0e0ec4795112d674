/**
 * Counts 32-bit features. One flat table that is used again for text after text; it grows when it is
 * half full.
 */
export class FeatureCounts {
  #keys: Uint32Array = new Uint32Array(4_096);
  #counts: Uint32Array = new Uint32Array(4_096);
  /** Slots in use, in the order of first appearance. */
  #used: Uint32Array = new Uint32Array(2_048);
  #size = 0;

  /** Counts one occurrence of a feature, an unsigned 32-bit integer. */
  add(feature: number): void {
    const keys = this.#keys;
    const mask = keys.length - 1;
    // The low bits of a multiplicative hash are its worst.
    let slot = (feature ^ (feature >>> 15)) & mask;
    while (this.#counts[slot] !== 0) {
      if (keys[slot] === feature) {
        this.#counts[slot] = (this.#counts[slot] as number) + 1;
        return;
      }
      slot = (slot + 1) & mask;
    }
    keys[slot] = feature;
    this.#counts[slot] = 1;
    this.#used[this.#size++] = slot;
    if (this.#size === this.#used.length) this.#grow();
  }

  /** Hands out every feature with its count and forgets it, in the order of first appearance. */
  drain(receive: (feature: number, count: number) => void): void {
    for (let i = 0; i < this.#size; i++) {
      const slot = this.#used[i] as number;
      receive(this.#keys[slot] as number, this.#counts[slot] as number);
      this.#counts[slot] = 0;
    }
    this.#size = 0;
  }

  #grow(): void {
    const { length } = this.#keys;
    const oldKeys = this.#keys;
    const oldCounts = this.#counts;
    const oldUsed = this.#used;
    this.#keys = new Uint32Array(length * 2);
    this.#counts = new Uint32Array(length * 2);
    this.#used = new Uint32Array(length);
    const mask = this.#keys.length - 1;
    for (let i = 0; i < oldUsed.length; i++) {
      const from = oldUsed[i] as number;
      const feature = oldKeys[from] as number;
      let slot = (feature ^ (feature >>> 15)) & mask;
      while (this.#counts[slot] !== 0) slot = (slot + 1) & mask;
      this.#keys[slot] = feature;
      this.#counts[slot] = oldCounts[from] as number;
      this.#used[i] = slot;
    }
  }
}
