import { allocating } from './errors.ts';
import type { Engine } from './options.ts';
import { byRank, type Hit, similarityOf } from './similarity.ts';
import type { VectorStore } from './store.ts';
import { paddedLength, toUnitVector, type Values } from './vector-input.ts';

/** A search keeps up to 2·`k` hits plus this number before it drops all but the best `k`. */
const HITS_MIN = 64;

/** A {@link VectorStore} on the JavaScript heap: a list of rows, the oldest first. */
export class ScalarStore implements VectorStore {
  readonly engine: Engine = 'typescript';
  readonly #dimensions: number;
  #rows: Float32Array[] = [];
  #loaded: Float32Array = new Float32Array(0);

  constructor(dimensions: number) {
    this.#dimensions = dimensions;
  }

  get bytes(): number {
    return this.#rows.length * paddedLength(this.#dimensions) * 4;
  }

  load(subject: string, values: Values): void {
    this.#loaded = allocating('one more vector', this.#rows.length, () => {
      return toUnitVector(subject, values, this.#dimensions);
    });
  }

  loadUnit(vectors: Float32Array, offset: number): void {
    this.#loaded = new Float32Array(paddedLength(this.#dimensions));
    this.#loaded.set(vectors.subarray(offset, offset + this.#dimensions));
  }

  append(dropped: number): void {
    this.dropOldest(dropped);
    this.#rows.push(this.#loaded);
  }

  dropOldest(count: number): void {
    this.#rows.splice(0, count);
  }

  erase(position: number): void {
    this.#rows[position].fill(NaN);
  }

  compact(isErased: (position: number) => boolean): void {
    this.#rows = this.#rows.filter((_, position) => !isErased(position));
  }

  clear(): void {
    this.#rows = [];
  }

  nearest(floor: number): Hit | undefined {
    return this.search(1, floor, undefined)[0];
  }

  reaches(floor: number): boolean {
    return this.nearest(floor) !== undefined;
  }

  search(k: number, floor: number, mask: Uint8Array | undefined): Hit[] {
    const hits: Hit[] = [];
    let least = floor;
    for (let position = 0; position < this.#rows.length; position++) {
      if (mask !== undefined && ((mask[position >> 3] >> (position & 7)) & 1) === 0) continue;
      const similarity = similarityOf(this.#rows[position], 0, this.#loaded);
      if (!(similarity >= least)) continue;
      hits.push({ position, similarity });
      if (hits.length < 2 * k + HITS_MIN) continue;
      // Sorting this rarely is as fast as a heap.
      hits.sort(byRank).length = k;
      least = hits[k - 1].similarity;
    }
    return hits.sort(byRank).slice(0, k);
  }

  read(position: number, count: number, target: Float32Array, offset: number): void {
    for (let index = 0; index < count; index++) {
      const row = this.#rows[position + index];
      target.set(row.subarray(0, this.#dimensions), offset + index * this.#dimensions);
    }
  }
}
