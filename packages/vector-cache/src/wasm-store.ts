import { HIT_BYTES, WORKSPACE_HITS } from './arena.ts';
import { OutOfMemoryError } from './errors.ts';
import { RowStorage } from './row-storage.ts';
import { SEGMENT_HEAD_BYTES, type Segment } from './segment-ring.ts';
import type { Engine, Hit, VectorStore } from './store.ts';
import { isSafe, paddedLength, scaleIntoRange } from './unit-vector.ts';
import { copyVector } from './vector-input.ts';

// Which search serves what, from the benchmarks of apps/bench:
// - under 64 values a row, the codes would be nearly as long as what they save reading;
// - under 32,768 values in all, encoding the query takes a third of the time of a scan;
// - from there on the bounds save from a few per cent (nothing alike, short rows) to 97 (a near
//   duplicate among 100,000), except on rows so alike that no bound tells them apart. The kernel
//   gives up on a query that loses a twelfth of a scan; while queries lose on average, all but a
//   few go straight to the scan.
const BOUNDS_MIN_LENGTH = 64;
const BOUNDS_MIN_VALUES = 32_768;
const FIRST_PAUSE = 8;
const LONGEST_PAUSE = 64;
/** Weight of the latest query in the average. */
const LATEST = 1 / 4;

const abandoned = new FinalizationRegistry<RowStorage>((storage) => storage.clear());

/** A {@link VectorStore} over the WebAssembly kernel. */
export class WasmStore implements VectorStore {
  readonly engine: Engine = 'wasm-simd';
  readonly #dimensions: number;
  readonly #length: number;
  readonly #isFlat: boolean;
  readonly #storage: RowStorage;
  readonly #scratch: Float64Array;
  /** Average loss of the queries that used bounds; see {@link Kernel.loss}. */
  #loss = 0;
  /** Queries still to go straight to the scan, and how many next time. */
  #paused = 0;
  #pause = FIRST_PAUSE;

  /** @param isFlat - keep the vectors alone: smaller, and always scanned. */
  constructor(dimensions: number, maxElements: number, isFlat: boolean) {
    this.#dimensions = dimensions;
    this.#length = paddedLength(dimensions);
    this.#isFlat = isFlat || this.#length < BOUNDS_MIN_LENGTH;
    // Codes take a byte a value; facts, bounds and sums are six numbers of four bytes.
    const rowBytes = this.#isFlat ? this.#length * 4 : this.#length * 5 + 24;
    this.#storage = new RowStorage(dimensions, rowBytes, maxElements);
    this.#scratch = new Float64Array(dimensions);
    abandoned.register(this, this.#storage);
  }

  get size(): number {
    return this.#storage.ring.size;
  }

  get bytes(): number {
    return this.#storage.ring.capacity * this.#storage.rowBytes;
  }

  load(subject: string, vector: ArrayLike<number>): void {
    if (vector instanceof Float32Array && vector.length === this.#dimensions) {
      this.#storage.bind().singleInput.set(vector);
      if (isSafe(this.#storage.arena.kernel.normalize(true))) return;
    }
    copyVector(subject, vector, this.#dimensions, this.#scratch);
    if (isSafe(this.#normalize(this.#scratch))) return;
    scaleIntoRange(subject, this.#scratch, this.#dimensions);
    this.#normalize(this.#scratch);
  }

  loadUnit(vectors: Float32Array, offset: number): void {
    this.#storage.bind().unit.set(vectors.subarray(offset, offset + this.#dimensions));
  }

  append(): void {
    const { start } = this.#storage.push();
    this.#storage.bind();
    this.#storage.arena.kernel.append(start, this.#storage.ring.tail - 1, this.#isFlat);
  }

  dropOldest(count: number): void {
    this.#storage.drop(count);
  }

  clear(): void {
    this.#storage.clear();
  }

  nearest(floor: number, hit: Hit): boolean {
    if (!this.#search(this.#storage.bind().hits, 1, floor, false)) return false;
    const { kernel } = this.#storage.arena;
    hit.position = kernel.positionOf(0);
    hit.similarity = kernel.similarityOf(0);
    return true;
  }

  reaches(floor: number): boolean {
    return this.#search(this.#storage.bind().hits, 1, floor, true);
  }

  search(k: number, floor: number): Hit[] {
    const count = Math.min(k, this.size);
    if (count <= WORKSPACE_HITS) {
      return this.#search(this.#storage.bind().hits, count, floor, false) ? this.#hits() : [];
    }
    const { arena } = this.#storage;
    const start = arena.allocate(count * HIT_BYTES);
    if (start === undefined) throw new OutOfMemoryError(this.size);
    try {
      return this.#search(start, count, floor, false) ? this.#hits() : [];
    } finally {
      arena.free(start, count * HIT_BYTES);
    }
  }

  read(position: number, target: Float32Array, offset: number): void {
    const { ring, arena } = this.#storage;
    let row = ring.head + position;
    let index = 0;
    for (; row >= (ring.segments[index] as Segment).rows; index++) {
      row -= (ring.segments[index] as Segment).rows;
      if (index === ring.segments.length - 1) index = -1;
    }
    const { start } = ring.segments[index] as Segment;
    const vectors = start + SEGMENT_HEAD_BYTES;
    const group = arena.floats(vectors + (row >> 2) * this.#length * 16, this.#length * 4);
    for (let value = 0; value < this.#dimensions; value++) {
      target[offset + value] = group[(value >> 2) * 16 + (row & 3) * 4 + (value & 3)] as number;
    }
  }

  #normalize(vector: Float64Array): number {
    this.#storage.bind().input.set(vector);
    return this.#storage.arena.kernel.normalize(false);
  }

  /** Leaves the hits of the loaded vector in the kernel; false when there are none. */
  #search(hits: number, k: number, floor: number, isFirstEnough: boolean): boolean {
    const { segments, head, size } = this.#storage.ring;
    const first = segments[0];
    if (first === undefined) return false;
    const { kernel } = this.#storage.arena;
    const isPlain = this.#isFlat || size * this.#length < BOUNDS_MIN_VALUES || this.#paused > 0;
    kernel.search(first.start, head, size, hits, k, floor, isPlain, isFirstEnough);
    if (!isPlain) this.#account(kernel.loss());
    else if (this.#paused > 0) this.#paused--;
    return kernel.hitCount() > 0;
  }

  #account(loss: number): void {
    this.#loss += (loss - this.#loss) * LATEST;
    if (this.#loss <= 0) {
      this.#pause = FIRST_PAUSE;
      return;
    }
    this.#paused = this.#pause;
    this.#pause = Math.min(LONGEST_PAUSE, this.#pause * 2);
  }

  #hits(): Hit[] {
    const { kernel } = this.#storage.arena;
    const hits: Hit[] = [];
    for (let index = 0; index < kernel.hitCount(); index++) {
      hits.push({ position: kernel.positionOf(index), similarity: kernel.similarityOf(index) });
    }
    return hits.sort((a, b) => b.similarity - a.similarity || a.position - b.position);
  }
}
