import { createPause } from '@kp/foundation';

/** Similarities of runs, by position in key order, computed row by row. */
export interface SimilarityRows {
  readonly size: number;
  /** Writes the similarities of one run to all runs into `[size]`. */
  fillRow(place: number, target: Float64Array): void;
}

const ROWS_BETWEEN_REPORTS = 64;

/**
 * Finds the nearest runs of every run, most similar first; ties in key order.
 *
 * @param order - the run at each position.
 * @returns `[size × neighbors]` runs and similarities, by run.
 * @throws The signal's reason if it is aborted.
 */
export async function findNearest(
  rows: SimilarityRows,
  order: Int32Array,
  neighbors: number,
  signal?: AbortSignal,
  onProgress?: (progress: { done: number; total: number }) => void,
): Promise<{ indices: Int32Array; similarities: Float32Array }> {
  const { size } = rows;
  const pause = createPause(signal);
  const indices = new Int32Array(size * neighbors);
  const similarities = new Float32Array(size * neighbors);
  const row = new Float64Array(size);
  const candidates = new Uint32Array(Math.max(0, size - 1));
  for (let place = 0; place < size; place++) {
    if (place % ROWS_BETWEEN_REPORTS === 0) onProgress?.({ done: place, total: size });
    await pause();
    rows.fillRow(place, row);
    const found = nearestOf(row, place, neighbors, candidates);
    const start = order[place] * neighbors;
    for (let at = 0; at < neighbors; at++) {
      indices[start + at] = order[found[at]];
      similarities[start + at] = row[found[at]];
    }
  }
  signal?.throwIfAborted();
  onProgress?.({ done: size, total: size });
  return { indices, similarities };
}

/** Finds the nearest positions in a row of similarities; overwrites `candidates`. */
function nearestOf(
  row: Float64Array,
  self: number,
  neighbors: number,
  candidates: Uint32Array,
): Uint32Array {
  const floor = neighbors < candidates.length ? kthGreatest(row, self, neighbors) : -1;
  let count = 0;
  for (let other = 0; other < row.length; other++) {
    if (other !== self && row[other] >= floor) candidates[count++] = other;
  }
  return candidates.subarray(0, count).sort((a, b) => row[b] - row[a] || a - b);
}

function kthGreatest(row: Float64Array, self: number, k: number): number {
  const heap = new Float64Array(k).fill(-2);
  for (let other = 0; other < row.length; other++) {
    const value = row[other];
    if (other === self || value <= heap[0]) continue;
    heap[0] = value;
    siftDown(heap);
  }
  return heap[0];
}

/** Restores the min-heap after its root changed. */
function siftDown(heap: Float64Array): void {
  const value = heap[0];
  let parent = 0;
  for (;;) {
    let child = 2 * parent + 1;
    if (child >= heap.length) break;
    if (child + 1 < heap.length && heap[child + 1] < heap[child]) child++;
    if (heap[child] >= value) break;
    heap[parent] = heap[child];
    parent = child;
  }
  heap[parent] = value;
}
