import { allocating } from './errors.ts';
import type { Engine } from './options.ts';
import { byRank, type Hit, similarityOf } from './similarity.ts';
import type { VectorStore } from './store.ts';
import { paddedLength, toUnitVector, type Values } from './vector-input.ts';

/** Hits beyond twice those wanted at which the worse ones are let go. */
const HITS_MIN = 64;

/** A {@link VectorStore} in plain TypeScript: a list of rows, the oldest first. */
export class ScalarStore implements VectorStore {
  readonly engine: Engine = 'typescript';
  readonly #dimensions: number;
  readonly #length: number;
  readonly #scratch: Float64Array;
  readonly #unit: Float32Array;
  #rows: Float32Array[] = [];
  /** A row for the next vector: the last one dropped, or a new one. */
  #spare: Float32Array | undefined;

  constructor(dimensions: number) {
    this.#dimensions = dimensions;
    this.#length = paddedLength(dimensions);
    this.#scratch = new Float64Array(this.#length);
    this.#unit = new Float32Array(this.#length);
  }

  get bytes(): number {
    return this.#rows.length * this.#length * 4;
  }

  load(subject: string, values: Values): void {
    toUnitVector(subject, values, this.#dimensions, this.#scratch, this.#unit);
  }

  loadUnit(vectors: Float32Array, offset: number): void {
    this.#unit.set(vectors.subarray(offset, offset + this.#dimensions));
  }

  reserve(): void {
    this.#spare ??= allocating('one more vector', this.#rows.length, () => {
      return new Float32Array(this.#length);
    });
  }

  append(dropped: number): void {
    const row = this.#spare as Float32Array;
    this.#spare = undefined;
    this.dropOldest(dropped);
    row.set(this.#unit);
    this.#rows.push(row);
  }

  dropOldest(count: number): void {
    const [dropped] = this.#rows.splice(0, count);
    this.#spare ??= dropped;
  }

  erase(position: number): void {
    this.#rows[position]?.fill(NaN);
  }

  compact(isErased: (position: number) => boolean): void {
    this.#rows = this.#rows.filter((_, position) => !isErased(position));
  }

  clear(): void {
    this.#rows = [];
  }

  nearest(floor: number, hit: Hit): boolean {
    const [best] = this.search(1, floor, undefined);
    Object.assign(hit, best);
    return best !== undefined;
  }

  reaches(floor: number): boolean {
    return this.search(1, floor, undefined).length > 0;
  }

  search(k: number, floor: number, mask: Uint8Array | undefined): Hit[] {
    const hits: Hit[] = [];
    let least = floor;
    for (let position = 0; position < this.#rows.length; position++) {
      const bits = mask?.[position >> 3] ?? 255;
      if (((bits >> (position & 7)) & 1) === 0) continue;
      const similarity = similarityOf(this.#rows[position], 0, this.#unit);
      if (!(similarity >= least)) continue;
      hits.push({ position, similarity });
      if (hits.length < 2 * k + HITS_MIN) continue;
      // Sorted so seldom that it takes as long as a heap.
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
