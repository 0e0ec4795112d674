import { dotProduct } from './dot-product.ts';
import type { Hit, VectorStore } from './store.ts';
import { TopHits } from './top-hits.ts';

const INITIAL_CAPACITY = 16;

/** A {@link VectorStore} in plain TypeScript: one flat ring buffer, grown by doubling. */
export class ScalarStore implements VectorStore {
  readonly #length: number;
  readonly #maxElements: number;
  #rows = new Float32Array(0);
  #capacity = 0;
  #head = 0;
  #size = 0;

  /** @param length - of every vector, padding included. */
  constructor(length: number, maxElements: number) {
    this.#length = length;
    this.#maxElements = maxElements;
  }

  get size(): number {
    return this.#size;
  }

  append(unit: Float32Array): void {
    if (this.#size === this.#maxElements) this.dropOldest(1);
    if (this.#size === this.#capacity) this.#grow();
    this.#rows.set(unit, this.#offset(this.#size));
    this.#size++;
  }

  dropOldest(count: number): void {
    this.#size -= count;
    this.#head = this.#size === 0 ? 0 : (this.#head + count) % this.#capacity;
  }

  clear(): void {
    this.#rows = new Float32Array(0);
    this.#capacity = 0;
    this.#head = 0;
    this.#size = 0;
  }

  nearest(query: Float32Array, hit: Hit): boolean {
    if (this.#size === 0) return false;
    let best = Number.NEGATIVE_INFINITY;
    let bestPosition = 0;
    for (let position = 0; position < this.#size; position++) {
      const similarity = dotProduct(this.#rows, this.#offset(position), query);
      if (similarity > best) {
        best = similarity;
        bestPosition = position;
      }
    }
    hit.similarity = best;
    hit.position = bestPosition;
    return true;
  }

  search(query: Float32Array, k: number): Hit[] {
    const top = new TopHits(Math.min(k, this.#size));
    for (let position = 0; position < this.#size; position++) {
      top.offer(position, dotProduct(this.#rows, this.#offset(position), query));
    }
    return top.bestFirst();
  }

  read(position: number, dimensions: number, target: Float32Array, offset: number): void {
    const start = this.#offset(position);
    target.set(this.#rows.subarray(start, start + dimensions), offset);
  }

  #offset(position: number): number {
    const slot = this.#head + position;
    return (slot < this.#capacity ? slot : slot - this.#capacity) * this.#length;
  }

  #grow(): void {
    const doubled = Math.max(INITIAL_CAPACITY, this.#capacity * 2);
    const capacity = Math.min(this.#maxElements, doubled);
    const rows = new Float32Array(capacity * this.#length);
    const start = this.#head * this.#length;
    rows.set(this.#rows.subarray(start));
    rows.set(this.#rows.subarray(0, start), this.#rows.length - start);
    this.#rows = rows;
    this.#capacity = capacity;
    this.#head = 0;
  }
}
