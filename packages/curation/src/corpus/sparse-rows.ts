import { CurationInputError } from './errors.ts';
import type { SimilarityRows } from './nearest-lists.ts';

/** Vectors that store only non-zero components. */
export interface SparseVectors {
  /** Distinguishes them from dense vectors. */
  readonly kind: 'sparse';
  /** Identifies the source; vectors with different ids must not be compared. */
  readonly id: string;
  /** Number of components, including zeros. */
  readonly dimensions: number;
  /** One per run, of length 1 or all zeros. */
  readonly rows: readonly {
    /** Ascending, each below `dimensions`. */
    readonly indices: Uint32Array;
    readonly values: Float64Array;
  }[];
}

type SparseRow = SparseVectors['rows'][number];

/**
 * Creates rows of similarities of sparse vectors with an inverted index: the time of a row is
 * proportional to the number of runs that share a word.
 *
 * @param order - the run at each position.
 * @throws {@link CurationInputError} if a vector is invalid.
 */
export function createSparseRows(vectors: SparseVectors, order: Int32Array): SimilarityRows {
  const rows = Array.from(order, (run) => vectors.rows[run]);
  const { starts, places, values } = invert(rows, order, vectors.dimensions);
  return {
    size: rows.length,
    fillRow(place, target) {
      target.fill(0);
      const row = rows[place];
      for (const [slot, index] of row.indices.entries()) {
        const value = row.values[slot];
        for (let at = starts[index]; at < starts[index + 1]; at++) {
          target[places[at]] += value * values[at];
        }
      }
      for (let other = 0; other < target.length; other++) target[other] = toCosine(target[other]);
    },
  };
}

/** Returns the similarity of two sparse vectors, bit-identical to that in a row of similarities. */
export function sparseSimilarity(a: SparseRow, b: SparseRow): number {
  return toCosine(product(a, b));
}

/** Rounds to float32, the precision of graphs. */
function toCosine(product: number): number {
  return Math.fround(Math.min(1, Math.max(-1, product)));
}

/** Sums in ascending order of components, like the rows of similarities. */
function product(a: SparseRow, b: SparseRow): number {
  let sum = 0;
  let left = 0;
  let right = 0;
  while (left < a.indices.length && right < b.indices.length) {
    const difference = a.indices[left] - b.indices[right];
    if (difference === 0) sum += a.values[left] * b.values[right];
    if (difference <= 0) left++;
    if (difference >= 0) right++;
  }
  return sum;
}

/** Lists the positions that contain each component, in ascending order. */
function invert(
  rows: SparseVectors['rows'],
  order: Int32Array,
  dimensions: number,
): { starts: Uint32Array; places: Uint32Array; values: Float64Array } {
  const starts = new Uint32Array(dimensions + 1);
  rows.forEach((row, place) => {
    const length = row?.indices?.length;
    if (length === undefined || row.values.length !== length) {
      const subject = `vectors.rows[${order[place]}]`;
      throw new CurationInputError(subject, 'as many values as indices', length);
    }
    for (const index of row.indices) {
      if (index >= dimensions) {
        const subject = `vectors.rows[${order[place]}]`;
        throw new CurationInputError(subject, `indices below ${dimensions}`, index);
      }
      starts[index + 1] = starts[index + 1] + 1;
    }
  });
  for (let index = 0; index < dimensions; index++) {
    starts[index + 1] = starts[index + 1] + starts[index];
  }
  const next = starts.slice(0, dimensions);
  const places = new Uint32Array(starts[dimensions]);
  const values = new Float64Array(places.length);
  rows.forEach(({ indices, values: components }, place) => {
    indices.forEach((index, slot) => {
      const at = next[index];
      next[index] = at + 1;
      places[at] = place;
      values[at] = components[slot];
    });
  });
  return { starts, places, values };
}
