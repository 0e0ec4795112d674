import { TILE_PLACES } from './dense-similarity.ts';
import { EXACT_SIZE, type SimilarityGraph } from './similarity-graph.ts';

const SAMPLED_PAIRS = 1_000_000;
const SEED = 0x5eed_0b0e;

/**
 * The median similarity of two different runs: of all pairs up to 2,000 runs, beyond that of 10⁶
 * seeded pairs. What two runs of the domain have in common anyway, and no merit of a selection.
 *
 * @returns in [-1, 1]; the mean of the middle two of an even number; 0 of one run.
 */
export function medianSimilarity(graph: SimilarityGraph): number {
  if (graph.size < 2) return 0;
  const values = graph.size <= EXACT_SIZE ? allPairs(graph) : sampledPairs(graph);
  values.sort();
  const middle = values.length >> 1;
  const upper = values[middle] as number;
  return values.length % 2 === 1 ? upper : (upper + (values[middle - 1] as number)) / 2;
}

function allPairs(graph: SimilarityGraph): Float64Array {
  const { size, neighbors, lists } = graph;
  const values = new Float64Array((size * (size - 1)) / 2);
  let count = 0;
  for (let place = 0; place < size; place++) {
    if (neighbors === size - 1) {
      for (let at = place * neighbors; at < (place + 1) * neighbors; at++) {
        if ((lists.places[at] as number) < place) continue;
        values[count++] = lists.similarities[at] as number;
      }
    } else {
      for (let other = place + 1; other < size; other++) {
        values[count++] = graph.similarityAt(place, other);
      }
    }
  }
  return values;
}

/** Pairs in tiles of 40 by 40: a vector is read once for forty products. */
function sampledPairs(graph: SimilarityGraph): Float64Array {
  const next = seededIntegers(SEED);
  const values = new Float64Array(SAMPLED_PAIRS);
  const pairs = (TILE_PLACES / 2) ** 2;
  const chosen = new Set<number>();
  for (let start = 0; start < SAMPLED_PAIRS; start += pairs) {
    chosen.clear();
    while (chosen.size < TILE_PLACES) chosen.add(next(graph.size));
    graph.fillTile(Uint32Array.from(chosen), values.subarray(start, start + pairs));
  }
  return values;
}

/**
 * Integers from 0 to below a bound, the same on every machine.
 *
 * @see Steele, Lea and Flood 2014, SplitMix; 32-bit variant (splitmix32).
 */
export function seededIntegers(seed: number): (below: number) => number {
  let state = seed | 0;
  return (below) => {
    state = (state + 0x9e3779b9) | 0;
    let mixed = Math.imul(state ^ (state >>> 16), 0x21f0aaad);
    mixed = Math.imul(mixed ^ (mixed >>> 15), 0x735a2d97);
    return Math.floor((((mixed ^ (mixed >>> 15)) >>> 0) / 2 ** 32) * below);
  };
}
