import { byRank, type Hit } from './similarity.ts';

/** The best hits of each row, in bounded heaps with the worst hit at the root. */
export class TopHits {
  readonly limit: number;
  readonly #counts: Int32Array;
  readonly #positions: Int32Array;
  readonly #similarities: Float32Array;

  /** @param limit - maximum number of hits per row; 0 keeps none. */
  constructor(rows: number, limit: number) {
    this.limit = limit;
    this.#counts = new Int32Array(rows);
    this.#positions = new Int32Array(rows * limit);
    this.#similarities = new Float32Array(rows * limit);
  }

  /** Returns the minimum similarity of a further hit of the row. */
  threshold(row: number): number {
    const isFull = this.#counts[row] === this.limit;
    return isFull ? (this.#similarities[row * this.limit] ?? Infinity) : -Infinity;
  }

  /** Keeps the hit if it is among the best of the row; `similarity` is a float32. */
  offer(row: number, position: number, similarity: number): void {
    const root = row * this.limit;
    const count = this.#counts[row];
    if (count < this.limit) {
      this.#counts[row] = count + 1;
      this.#siftUp(root, count, position, similarity);
    } else if (this.#isBetter(position, similarity, root)) {
      this.#siftDown(root, position, similarity);
    }
  }

  bestFirst(row: number): Hit[] {
    const hits: Hit[] = [];
    const first = row * this.limit;
    for (let at = first; at < first + this.#counts[row]; at++) {
      const [position, similarity] = [this.#positions[at], this.#similarities[at]];
      hits.push({ position: position as number, similarity: similarity as number });
    }
    return hits.sort(byRank);
  }

  #siftUp(root: number, from: number, position: number, similarity: number): void {
    let child = from;
    while (child > 0) {
      const parent = (child - 1) >> 1;
      if (this.#isBetter(position, similarity, root + parent)) break;
      this.#copy(root + parent, root + child);
      child = parent;
    }
    this.#put(root + child, position, similarity);
  }

  #siftDown(root: number, position: number, similarity: number): void {
    let parent = 0;
    for (let child = 1; child < this.limit; child = 2 * parent + 1) {
      const right = root + child + 1;
      if (child + 1 < this.limit && this.#isWorse(right, right - 1)) child++;
      if (!this.#isBetter(position, similarity, root + child)) break;
      this.#copy(root + child, root + parent);
      parent = child;
    }
    this.#put(root + parent, position, similarity);
  }

  #isWorse(at: number, than: number): boolean {
    const [position, similarity] = [this.#positions[than], this.#similarities[than]];
    return this.#isBetter(position as number, similarity as number, at);
  }

  #isBetter(position: number, similarity: number, than: number): boolean {
    const other = this.#similarities[than];
    return similarity === other ? position < this.#positions[than] : similarity > other;
  }

  #copy(from: number, to: number): void {
    this.#put(to, this.#positions[from], this.#similarities[from]);
  }

  #put(at: number, position: number, similarity: number): void {
    this.#positions[at] = position;
    this.#similarities[at] = similarity;
  }
}
