import { similarityOf } from './similarity.ts';

/** Unit vectors by position. */
export interface Rows {
  readonly size: number;
  /** Values of a row, a multiple of 8. */
  readonly length: number;
  readonly values: Float32Array;
  /**
   * False: one row after the other. True: in groups of four rows, as `assembly/graph.ts` reads
   * them: the even chunks of four values of each row in turn, then the odd chunks.
   */
  readonly isInGroups: boolean;
}

/** Writes one row. */
export function writeRow(rows: Rows, row: Float32Array, position: number): void {
  const { values, length } = rows;
  for (let at = 0; at < length; at += 4) {
    const to = chunkAt(rows, position, at);
    for (let lane = 0; lane < 4; lane++) values[to + lane] = row[at + lane];
  }
}

/** The similarity of the rows at two positions, the same to the last bit as the kernel's. */
export function pairSimilarity(rows: Rows): (position: number, other: number) => number {
  const { length } = rows;
  let packed: Rows | undefined = rows;
  let values: Float32Array;
  return (position, other) => {
    if (packed !== undefined) {
      values = packed.isInGroups ? inOrder(packed) : packed.values;
      packed = undefined;
    }
    const start = other * length;
    return similarityOf(values, position * length, values.subarray(start, start + length));
  };
}

function inOrder(rows: Rows): Float32Array {
  const { size, length, values } = rows;
  const ordered = new Float32Array(size * length);
  for (let position = 0; position < size; position++) {
    for (let at = 0; at < length; at += 4) {
      const from = chunkAt(rows, position, at);
      for (let lane = 0; lane < 4; lane++) {
        ordered[position * length + at + lane] = values[from + lane];
      }
    }
  }
  return ordered;
}

/** Returns the index of a row's four values from `at` on. */
function chunkAt({ length, isInGroups }: Rows, position: number, at: number): number {
  if (!isInGroups) return position * length + at;
  const first = (position >> 2) * 4 * length + (position & 3) * 4;
  return first + ((at >> 2) & 1) * 2 * length + (at >> 3) * 16;
}
