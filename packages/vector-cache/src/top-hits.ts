import type { Hit } from './store.ts';

/** The best of the hits offered, a bounded heap whose root is the worst one kept. */
export class TopHits {
  readonly #limit: number;
  readonly #heap: Hit[] = [];

  /** @param limit - hits kept at most; 0 keeps none. */
  constructor(limit: number) {
    this.#limit = limit;
  }

  /** Keeps the hit when it is among the best so far; of equals the older one is better. */
  offer(position: number, similarity: number): void {
    if (this.#heap.length < this.#limit) {
      this.#heap.push({ position, similarity });
      this.#siftUp(this.#heap.length - 1);
      return;
    }
    const root = this.#heap[0];
    if (root === undefined || !isBetter(position, similarity, root)) return;
    root.position = position;
    root.similarity = similarity;
    this.#siftDown();
  }

  bestFirst(): Hit[] {
    return this.#heap.sort((a, b) => b.similarity - a.similarity || a.position - b.position);
  }

  #siftUp(from: number): void {
    let child = from;
    while (child > 0) {
      const parent = (child - 1) >> 1;
      if (!this.#swapIfBetter(parent, child)) return;
      child = parent;
    }
  }

  #siftDown(): void {
    let parent = 0;
    for (;;) {
      let child = 2 * parent + 1;
      const left = this.#heap[child];
      if (left === undefined) return;
      const right = this.#heap[child + 1];
      if (right !== undefined && isBetter(left.position, left.similarity, right)) child++;
      if (!this.#swapIfBetter(parent, child)) return;
      parent = child;
    }
  }

  #swapIfBetter(parent: number, child: number): boolean {
    const a = this.#heap[parent] as Hit;
    const b = this.#heap[child] as Hit;
    if (!isBetter(a.position, a.similarity, b)) return false;
    this.#heap[parent] = b;
    this.#heap[child] = a;
    return true;
  }
}

function isBetter(position: number, similarity: number, than: Hit): boolean {
  if (similarity !== than.similarity) return similarity > than.similarity;
  return position < than.position;
}
