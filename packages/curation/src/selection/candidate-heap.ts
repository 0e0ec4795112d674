/**
 * A heap of candidates by the upper bound of their gain, greatest first; ties go to the smallest
 * candidate.
 */
export class CandidateHeap {
  readonly #candidates: Uint32Array;
  readonly #bounds: Float64Array;
  #size = 0;

  /** @param capacity - maximum number of candidates. */
  constructor(capacity: number) {
    this.#candidates = new Uint32Array(capacity);
    this.#bounds = new Float64Array(capacity);
  }

  get size(): number {
    return this.#size;
  }

  /** The greatest bound; -Infinity if empty. */
  get greatest(): number {
    return this.#size === 0 ? Number.NEGATIVE_INFINITY : this.#bounds[0];
  }

  push(candidate: number, bound: number): void {
    let child = this.#size++;
    while (child > 0) {
      const parent = (child - 1) >> 1;
      if (!this.#isBehind(parent, candidate, bound)) break;
      this.#move(parent, child);
      child = parent;
    }
    this.#candidates[child] = candidate;
    this.#bounds[child] = bound;
  }

  /** Removes the candidate with the greatest bound; the heap must not be empty. */
  pop(): number {
    const top = this.#candidates[0];
    const last = --this.#size;
    const candidate = this.#candidates[last];
    const bound = this.#bounds[last];
    let parent = 0;
    for (;;) {
      let child = 2 * parent + 1;
      if (child >= last) break;
      const right = child + 1;
      if (right < last && this.#isBehind(child, this.#candidates[right], this.#bounds[right])) {
        child = right;
      }
      if (this.#isBehind(child, candidate, bound)) break;
      this.#move(child, parent);
      parent = child;
    }
    this.#candidates[parent] = candidate;
    this.#bounds[parent] = bound;
    return top;
  }

  #isBehind(slot: number, candidate: number, bound: number): boolean {
    const other = this.#bounds[slot];
    return other < bound || (other === bound && this.#candidates[slot] > candidate);
  }

  #move(from: number, to: number): void {
    this.#candidates[to] = this.#candidates[from];
    this.#bounds[to] = this.#bounds[from];
  }
}
