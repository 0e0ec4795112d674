import { similarityGraph, type SimilarityGraph as VectorGraph } from '@kp/vector-cache';
import { createDenseSimilarity, type PairSimilarity } from './dense-similarity.ts';
import { CurationInputError, checkCount, checkLength } from './errors.ts';
import { keyOrder, placesOf } from './key-order.ts';
import { findNearest, type NearestLists } from './nearest-lists.ts';
import { createSparseRows, type SparseVectors } from './sparse-rows.ts';

/**
 * The nearest runs of every run of a corpus, exact. Make it with {@link buildSimilarityGraph}; the
 * functions of this package read it. Memory: 12 bytes a run and neighbour, and the vectors.
 */
export interface SimilarityGraph extends PairSimilarity {
  /** Number of runs. */
  readonly size: number;
  /** Neighbours kept of each run; `size - 1` when all are. */
  readonly neighbors: number;
  /** Content key of each run. */
  readonly keys: readonly string[];
  /** The run at each place in the order of keys. */
  readonly order: Uint32Array;
  /** The place of each run in that order. */
  readonly places: Uint32Array;
  /** Neighbours by place. */
  readonly lists: NearestLists;
  /** How dense vectors were compared, and why in a slower way than asked for, if so. */
  readonly computation: VectorGraph['computation'] | undefined;
}

/** What a graph needs beside the vectors. */
export interface SimilarityGraphOptions {
  /** Content keys, one a run; equal keys are exact copies. Ascending order breaks ties. */
  readonly keys: readonly string[];
  /** Nearest kept of each run; all up to 2,000 runs, beyond that 32. */
  readonly neighbors?: number;
  /** Ends the work: the promise rejects with the signal's reason. */
  readonly signal?: AbortSignal;
  /** Told now and then how much of the work is done. */
  readonly onProgress?: (progress: { done: number; total: number }) => void;
  /** Threads that compare dense vectors; all processors where the work is worth their start. */
  readonly threads?: number;
}

/** Up to this many runs every pair is kept, unless `neighbors` says otherwise. */
export const EXACT_SIZE = 2_000;
const DEFAULT_NEIGHBORS = 32;

/**
 * The exact k-nearest-neighbour graph of a corpus: n²/2 similarities, made once. Ties go to the
 * smaller key, so that nothing depends on the order of the input.
 *
 * @param vectors - `[n][d]` finite numbers of one embedder, of any length; zeros are similar to
 * nothing. They are not copied, and must not change while the graph is used. Or sparse ones, from
 * `corpusVectors`.
 * @throws {@link CurationInputError} when a vector or an option is not usable, and the signal's
 * reason when it is aborted.
 */
export async function buildSimilarityGraph(
  vectors: readonly Float32Array[] | SparseVectors,
  options: SimilarityGraphOptions,
): Promise<SimilarityGraph> {
  const { keys, neighbors, signal, onProgress } = options;
  const isSparse = 'kind' in vectors;
  const size = isSparse ? vectors.rows.length : vectors.length;
  checkKeys(keys, size);
  if (neighbors !== undefined) checkCount('neighbors', neighbors, 1);
  signal?.throwIfAborted();
  const order = keyOrder(keys);
  const places = placesOf(order);
  const most = Math.max(0, size - 1);
  const kept = Math.min(neighbors ?? (size <= EXACT_SIZE ? most : DEFAULT_NEIGHBORS), most);
  const base = { size, neighbors: kept, keys, order, places };
  if (isSparse) {
    const rows = createSparseRows(vectors, order);
    const lists = await findNearest(rows, kept, signal, onProgress);
    return { ...base, ...rows, size, lists, computation: undefined };
  }
  const similarity = createDenseSimilarity(vectors, order);
  const found = await similarityGraph(vectors, { ...options, neighbors: Math.max(1, kept) });
  const { computation } = found;
  return { ...base, ...similarity, lists: listsByPlace(found, order, places), computation };
}

function listsByPlace(graph: VectorGraph, order: Uint32Array, places: Uint32Array): NearestLists {
  const { size, neighbors, indices, similarities } = graph;
  const lists = {
    neighbors,
    places: new Uint32Array(size * neighbors),
    similarities: new Float32Array(size * neighbors),
  };
  for (let place = 0; place < size; place++) {
    const from = (order[place] as number) * neighbors;
    for (let at = 0; at < neighbors; at++) {
      const to = place * neighbors + at;
      lists.places[to] = places[indices[from + at] as number] as number;
      lists.similarities[to] = similarities[from + at] as number;
    }
  }
  return lists;
}

function checkKeys(keys: readonly string[], size: number): void {
  if (!Array.isArray(keys)) throw new CurationInputError('keys', 'an array of strings', keys);
  checkLength('keys', keys.length, size);
  const wrong = keys.findIndex((key) => typeof key !== 'string');
  if (wrong >= 0) throw new CurationInputError(`keys[${wrong}]`, 'a string', typeof keys[wrong]);
}
