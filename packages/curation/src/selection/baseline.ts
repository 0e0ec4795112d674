import { assertType, seededIntegers } from '@kp/foundation';
import type { SimilarityGraph } from '@kp/vector-cache';
import { EXACT_SIZE } from '../corpus/similarity-graph.ts';
import { indexRows, type SparseIndex } from '../corpus/sparse-index.ts';
import { checkRows, type SparseVectors, toCosine } from '../corpus/sparse-rows.ts';

const SAMPLED_PAIRS = 1_000_000;
const SEED = 0x5eed_0b0e;

/** Half the size of a tile: pairs are sampled between two halves, which reads fewer vectors. */
const TILE_HALF = 40;

/**
 * Computes the median similarity of two different runs: over all pairs up to 2,000 runs, over 10⁶
 * seeded pairs for more. Selections get no credit for this similarity, which any two runs of the
 * domain share.
 *
 * @returns A value in [-1, 1]; the mean of the middle two for an even number; 0 for one run.
 */
export function medianSimilarity(graph: SimilarityGraph): number {
  if (graph.size < 2) return 0;
  return medianOf(graph.size <= EXACT_SIZE ? allPairs(graph) : sampledPairs(graph));
}

/**
 * Computes the median similarity of all pairs of some runs of a corpus.
 *
 * @param rows - `[n]` vectors of the runs.
 * @returns A value in [-1, 1].
 */
export function medianOfRows(rows: SparseVectors['rows']): number {
  assertType('rows', 'an array', rows);
  if (rows.length < 2) return 0;
  const size = rows.length;
  const dimensions = rows.reduce(
    (most, { indices }) => Math.max(most, (indices.at(-1) ?? -1) + 1),
    0,
  );
  checkRows({ rows, dimensions });
  const order = Int32Array.from({ length: size }, (_, run) => run);
  const fill = fillSimilarities(indexRows({ rows, dimensions }, order, 'own'));
  const values = new Float64Array((size * (size - 1)) / 2);
  const row = new Float64Array(size);
  let count = 0;
  for (let run = 0; run < size; run++) {
    fill(run, row);
    values.set(row.subarray(run + 1), count);
    count += size - run - 1;
  }
  return medianOf(values);
}

/** Returns a function that writes the similarities of one run to all runs. */
function fillSimilarities({
  rowStarts,
  components,
  weights,
  columnStarts,
  places,
  values,
}: SparseIndex): (run: number, row: Float64Array) => void {
  return (run, row) => {
    row.fill(0);
    for (let at = rowStarts[run]; at < rowStarts[run + 1]; at++) {
      const [from, to] = [columnStarts[components[at]], columnStarts[components[at] + 1]];
      const weight = weights[at];
      for (let entry = from; entry < to; entry++) {
        const other = places[entry];
        row[other] = row[other] + weight * values[entry];
      }
    }
    for (let other = 0; other < row.length; other++) row[other] = toCosine(row[other]);
  };
}

function medianOf(values: Float64Array): number {
  values.sort();
  const middle = values.length >> 1;
  const upper = values[middle];
  return values.length % 2 === 1 ? upper : (upper + values[middle - 1]) / 2;
}

function allPairs(graph: SimilarityGraph): Float64Array {
  const { size, neighbors, indices, similarities } = graph;
  const values = new Float64Array((size * (size - 1)) / 2);
  let count = 0;
  for (let run = 0; run < size; run++) {
    if (neighbors === size - 1) {
      for (let at = run * neighbors; at < (run + 1) * neighbors; at++) {
        if (indices[at] > run) values[count++] = similarities[at];
      }
    } else {
      for (let other = run + 1; other < size; other++) {
        values[count++] = graph.similarity(run, other);
      }
    }
  }
  return values;
}

function sampledPairs({ size, order, similarity }: SimilarityGraph): Float64Array {
  const next = seededIntegers(SEED);
  const values = new Float64Array(SAMPLED_PAIRS);
  let count = 0;
  while (count < SAMPLED_PAIRS) {
    const tile = new Set<number>();
    while (tile.size < 2 * TILE_HALF) tile.add(order[next(size)]);
    const runs = [...tile];
    for (const run of runs.slice(0, TILE_HALF)) {
      for (const other of runs.slice(TILE_HALF)) values[count++] = similarity(run, other);
    }
  }
  return values;
}
