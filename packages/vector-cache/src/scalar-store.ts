import { dotProduct } from './dot-product.ts';
import { OutOfMemoryError } from './errors.ts';
import type { Engine, Hit, VectorStore } from './store.ts';
import { TopHits } from './top-hits.ts';
import { paddedLength, toUnitVector } from './unit-vector.ts';

const INITIAL_CAPACITY = 16;

/** A {@link VectorStore} in plain TypeScript: one flat ring buffer, grown by doubling. */
export class ScalarStore implements VectorStore {
  readonly engine: Engine = 'typescript';
  readonly #dimensions: number;
  readonly #length: number;
  readonly #maxElements: number;
  readonly #scratch: Float64Array;
  readonly #unit: Float32Array;
  #rows = new Float32Array(0);
  #capacity = 0;
  #head = 0;
  #size = 0;

  constructor(dimensions: number, maxElements: number) {
    this.#dimensions = dimensions;
    this.#length = paddedLength(dimensions);
    this.#maxElements = maxElements;
    this.#scratch = new Float64Array(this.#length);
    this.#unit = new Float32Array(this.#length);
  }

  get size(): number {
    return this.#size;
  }

  get bytes(): number {
    return this.#rows.byteLength;
  }

  load(subject: string, vector: ArrayLike<number>): void {
    toUnitVector(subject, vector, this.#dimensions, this.#scratch, this.#unit);
  }

  loadUnit(vectors: Float32Array, offset: number): void {
    this.#unit.set(vectors.subarray(offset, offset + this.#dimensions));
  }

  append(): void {
    if (this.#size === this.#capacity) this.#grow();
    this.#rows.set(this.#unit, this.#offset(this.#size));
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

  nearest(floor: number, hit: Hit): boolean {
    let isFound = false;
    let best = floor;
    for (let position = 0; position < this.#size; position++) {
      const similarity = dotProduct(this.#rows, this.#offset(position), this.#unit);
      if (similarity > best || (similarity === best && !isFound)) {
        isFound = true;
        best = similarity;
        hit.position = position;
      }
    }
    if (isFound) hit.similarity = best;
    return isFound;
  }

  reaches(floor: number): boolean {
    for (let position = 0; position < this.#size; position++) {
      if (dotProduct(this.#rows, this.#offset(position), this.#unit) >= floor) return true;
    }
    return false;
  }

  search(k: number, floor: number): Hit[] {
    const top = new TopHits(k);
    for (let position = 0; position < this.#size; position++) {
      const similarity = dotProduct(this.#rows, this.#offset(position), this.#unit);
      if (similarity >= floor) top.offer(position, similarity);
    }
    return top.bestFirst();
  }

  read(position: number, target: Float32Array, offset: number): void {
    const start = this.#offset(position);
    target.set(this.#rows.subarray(start, start + this.#dimensions), offset);
  }

  #offset(position: number): number {
    const slot = this.#head + position;
    return (slot < this.#capacity ? slot : slot - this.#capacity) * this.#length;
  }

  #grow(): void {
    const doubled = Math.max(INITIAL_CAPACITY, this.#capacity * 2);
    const capacity = Math.min(this.#maxElements, doubled);
    const rows = this.#allocate(capacity * this.#length);
    const start = this.#head * this.#length;
    rows.set(this.#rows.subarray(start));
    rows.set(this.#rows.subarray(0, start), this.#rows.length - start);
    this.#rows = rows;
    this.#capacity = capacity;
    this.#head = 0;
  }

  #allocate(length: number): Float32Array<ArrayBuffer> {
    try {
      return new Float32Array(length);
    } catch (cause) {
      throw new OutOfMemoryError(this.#size, { cause });
    }
  }
}
