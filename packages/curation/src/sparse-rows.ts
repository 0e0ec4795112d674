import { type PairSimilarity, TILE_PLACES } from './dense-similarity.ts';
import { CurationInputError } from './errors.ts';
import type { SimilarityRows } from './nearest-lists.ts';

/** Vectors of which only the components that are not 0 are kept. */
export interface SparseVectors {
  /** Tells them from dense vectors. */
  readonly kind: 'sparse';
  /** What made them: vectors of two ids must not be compared. */
  readonly id: string;
  /** How many components a vector has, those that are 0 among them. */
  readonly dimensions: number;
  /** One a run, of length 1 or all zeros. */
  readonly rows: readonly {
    /** Ascending, each below `dimensions`. */
    readonly indices: Uint32Array;
    readonly values: Float64Array;
  }[];
}

/**
 * Sparse vectors by place, and their cosine similarities by an inverted index: a row of similarities
 * takes as long as there are runs that share a word with it. Products are added in ascending order
 * of the components from either side.
 */
export function createSparseRows(
  vectors: SparseVectors,
  order: Uint32Array,
): SimilarityRows & PairSimilarity {
  const { dimensions } = vectors;
  const rows = Array.from(order, (run) => vectors.rows[run] as SparseRow);
  const { starts, places, values } = invert(rows, order, dimensions);
  const size = rows.length;
  const similarityAt = (place: number, other: number): number =>
    place === other ? 1 : toCosine(product(rowAt(rows, place), rowAt(rows, other)));
  return {
    size,
    similarityAt,
    fillTile(tile, target) {
      const half = TILE_PLACES / 2;
      for (let at = 0; at < half * half; at++) {
        const place = tile[Math.floor(at / half)] as number;
        target[at] = similarityAt(place, tile[half + (at % half)] as number);
      }
    },
    fillRow(place, target) {
      target.fill(0);
      const row = rowAt(rows, place);
      for (let slot = 0; slot < row.indices.length; slot++) {
        const index = row.indices[slot] as number;
        const value = row.values[slot] as number;
        const end = starts[index + 1] as number;
        for (let at = starts[index] as number; at < end; at++) {
          const other = places[at] as number;
          target[other] = (target[other] as number) + value * (values[at] as number);
        }
      }
      for (let other = 0; other < size; other++) target[other] = toCosine(target[other] as number);
      target[place] = 1;
    },
  };
}

type SparseRow = SparseVectors['rows'][number];

function rowAt(rows: readonly SparseRow[], place: number): SparseRow {
  return rows[place] as SparseRow;
}

function toCosine(product: number): number {
  return Math.min(1, Math.max(-1, product));
}

function product(a: SparseRow, b: SparseRow): number {
  let sum = 0;
  let left = 0;
  let right = 0;
  while (left < a.indices.length && right < b.indices.length) {
    const difference = (a.indices[left] as number) - (b.indices[right] as number);
    if (difference === 0) sum += (a.values[left] as number) * (b.values[right] as number);
    if (difference <= 0) left++;
    if (difference >= 0) right++;
  }
  return sum;
}

/** For each component the places that have it, ascending. */
function invert(
  rows: SparseVectors['rows'],
  order: Uint32Array,
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
      starts[index + 1] = (starts[index + 1] as number) + 1;
    }
  });
  for (let index = 0; index < dimensions; index++) {
    starts[index + 1] = (starts[index + 1] as number) + (starts[index] as number);
  }
  const next = starts.slice(0, dimensions);
  const places = new Uint32Array(starts[dimensions] as number);
  const values = new Float64Array(places.length);
  rows.forEach(({ indices, values: components }, place) => {
    indices.forEach((index, slot) => {
      const at = next[index] as number;
      next[index] = at + 1;
      places[at] = place;
      values[at] = components[slot] as number;
    });
  });
  return { starts, places, values };
}
