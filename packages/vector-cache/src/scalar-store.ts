import { allocating } from './errors.ts';
import type { Engine } from './options.ts';
import { byRank, dotProduct, type Hit } from './similarity.ts';
import type { RowFilter, VectorStore } from './store.ts';
import { paddedLength, toUnitVector, type Values } from './vector-input.ts';

const INITIAL_CAPACITY = 16;
/** Hits beyond twice those wanted at which the worse ones are let go. */
const HITS_MIN = 64;

/** A {@link VectorStore} in plain TypeScript: one flat ring buffer, grown by doubling. */
export class ScalarStore implements VectorStore {
  readonly engine: Engine = 'typescript';
  readonly #dimensions: number;
  readonly #length: number;
  readonly #scratch: Float64Array;
  readonly #unit: Float32Array;
  #limit: number;
  #rows = new Float32Array(0);
  #capacity = 0;
  #head = 0;
  #size = 0;

  constructor(dimensions: number, limit: number) {
    this.#dimensions = dimensions;
    this.#length = paddedLength(dimensions);
    this.#limit = limit;
    this.#scratch = new Float64Array(this.#length);
    this.#unit = new Float32Array(this.#length);
  }

  get limit(): number {
    return this.#limit;
  }

  get bytes(): number {
    return this.#rows.byteLength;
  }

  load(subject: string, values: Values): void {
    toUnitVector(subject, values, this.#dimensions, this.#scratch, this.#unit);
  }

  loadUnit(vectors: Float32Array, offset: number): void {
    this.#unit.set(vectors.subarray(offset, offset + this.#dimensions));
  }

  reserve(): void {
    if (this.#size < this.#capacity || this.#capacity === this.#limit) return;
    const doubled = Math.max(INITIAL_CAPACITY, this.#capacity * 2);
    const capacity = Math.min(this.#limit, doubled);
    const rows = allocating('one more vector', this.#size, () => {
      return new Float32Array(capacity * this.#length);
    });
    const start = this.#head * this.#length;
    rows.set(this.#rows.subarray(start));
    rows.set(this.#rows.subarray(0, start), this.#rows.length - start);
    this.#rows = rows;
    this.#capacity = capacity;
    this.#head = 0;
  }

  append(dropped: number): void {
    this.dropOldest(dropped);
    this.#rows.set(this.#unit, this.#offset(this.#size));
    this.#size++;
  }

  dropOldest(count: number): void {
    this.#size -= count;
    this.#head = this.#size === 0 ? 0 : (this.#head + count) % this.#capacity;
  }

  erase(position: number): void {
    this.#rows[this.#offset(position)] = Number.NaN;
  }

  compact(isErased: RowFilter): void {
    let to = this.#size - 1;
    for (let from = to; from >= 0; from--) {
      if (isErased(from)) continue;
      const start = this.#offset(from);
      if (from !== to) this.#rows.copyWithin(this.#offset(to), start, start + this.#length);
      to--;
    }
    this.dropOldest(to + 1);
  }

  raiseLimit(limit: number): void {
    this.#limit = limit;
  }

  clear(): void {
    this.#rows = new Float32Array(0);
    this.#capacity = 0;
    this.#head = 0;
    this.#size = 0;
  }

  nearest(floor: number, hit: Hit): boolean {
    const [best] = this.search(1, floor, undefined);
    Object.assign(hit, best);
    return best !== undefined;
  }

  reaches(floor: number): boolean {
    return this.search(1, floor, undefined).length > 0;
  }

  search(k: number, floor: number, filter: RowFilter | undefined): Hit[] {
    const hits: Hit[] = [];
    let least = floor;
    for (let position = 0; position < this.#size; position++) {
      if (filter !== undefined && !filter(position)) continue;
      const similarity = dotProduct(this.#rows, this.#offset(position), this.#unit);
      if (!(similarity >= least)) continue;
      hits.push({ position, similarity });
      if (hits.length < 2 * k + HITS_MIN) continue;
      // Sorted so seldom that it takes as long as a heap.
      hits.sort(byRank).length = k;
      least = (hits[k - 1] as Hit).similarity;
    }
    return hits.sort(byRank).slice(0, k);
  }

  read(position: number, count: number, target: Float32Array, offset: number): void {
    for (let index = 0; index < count; index++) {
      const start = this.#offset(position + index);
      const row = this.#rows.subarray(start, start + this.#dimensions);
      target.set(row, offset + index * this.#dimensions);
    }
  }

  #offset(position: number): number {
    const slot = this.#head + position;
    return (slot < this.#capacity ? slot : slot - this.#capacity) * this.#length;
  }
}
