/** Runs by place whose similarities can be asked for. */
export interface SimilarityRows {
  readonly size: number;
  /** Writes the similarities of one run to all into `[size]`. */
  fillRow(place: number, target: Float64Array): void;
}

/** The nearest of every run, best first; of equals the one at the smaller place. */
export interface NearestLists {
  /** How many are kept of each run. */
  readonly neighbors: number;
  /** `[size × neighbors]` places. */
  readonly places: Uint32Array;
  /** `[size × neighbors]`, in [-1, 1]. */
  readonly similarities: Float64Array | Float32Array;
}

const ROWS_BETWEEN_PAUSES = 64;

/** @throws the signal's reason when it is aborted. */
export async function findNearest(
  rows: SimilarityRows,
  neighbors: number,
  signal?: AbortSignal,
  onProgress?: (progress: { done: number; total: number }) => void,
): Promise<NearestLists> {
  const { size } = rows;
  const places = new Uint32Array(size * neighbors);
  const similarities = new Float64Array(size * neighbors);
  const row = new Float64Array(size);
  const candidates = new Uint32Array(Math.max(0, size - 1));
  for (let place = 0; place < size; place++) {
    if (place % ROWS_BETWEEN_PAUSES === 0) {
      signal?.throwIfAborted();
      onProgress?.({ done: place, total: size });
      await new Promise((resolve) => setTimeout(resolve));
    }
    rows.fillRow(place, row);
    const found = nearestOf(row, place, neighbors, candidates);
    for (let at = 0; at < neighbors; at++) {
      const other = found[at] as number;
      places[place * neighbors + at] = other;
      similarities[place * neighbors + at] = row[other] as number;
    }
  }
  signal?.throwIfAborted();
  onProgress?.({ done: size, total: size });
  return { neighbors, places, similarities };
}

/** The nearest of one run by its row of similarities; `candidates` is overwritten. */
function nearestOf(
  row: Float64Array,
  self: number,
  neighbors: number,
  candidates: Uint32Array,
): Uint32Array {
  const floor = neighbors < candidates.length ? kthGreatest(row, self, neighbors) : -1;
  let count = 0;
  for (let other = 0; other < row.length; other++) {
    if (other !== self && (row[other] as number) >= floor) candidates[count++] = other;
  }
  return candidates
    .subarray(0, count)
    .sort((a, b) => (row[b] as number) - (row[a] as number) || a - b);
}

function kthGreatest(row: Float64Array, self: number, k: number): number {
  const heap = new Float64Array(k).fill(-2);
  for (let other = 0; other < row.length; other++) {
    const value = row[other] as number;
    if (other === self || value <= (heap[0] as number)) continue;
    heap[0] = value;
    siftDown(heap);
  }
  return heap[0] as number;
}

/** Moves the root of a heap whose least is the root to where it belongs. */
function siftDown(heap: Float64Array): void {
  const value = heap[0] as number;
  let parent = 0;
  for (;;) {
    let child = 2 * parent + 1;
    if (child >= heap.length) break;
    if (child + 1 < heap.length && (heap[child + 1] as number) < (heap[child] as number)) child++;
    if ((heap[child] as number) >= value) break;
    heap[parent] = heap[child] as number;
    parent = child;
  }
  heap[parent] = value;
}
