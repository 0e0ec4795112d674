import {
  type SimilarityGraph,
  type SimilarityGraphOptions,
  similarityGraph,
} from '@kp/vector-cache';
import { CurationInputError, checkCount, checkEntries, checkOptions } from './errors.ts';
import { keyOrder } from './key-order.ts';
import { findNearest } from './nearest-lists.ts';
import { type SparseVectors, sparseSimilarity } from './sparse-rows.ts';

/** Maximum number of runs for which all pairs are kept, unless `neighbors` overrides it. */
export const EXACT_SIZE = 2_000;
const DEFAULT_NEIGHBORS = 32;

const GRAPH_OPTIONS: Readonly<Record<keyof SimilarityGraphOptions, true>> = {
  keys: true,
  neighbors: true,
  threads: true,
  engine: true,
  signal: true,
  onProgress: true,
};

/**
 * Builds the exact k-nearest-neighbour graph of a corpus. Ties go to the smaller key, so nothing
 * depends on the input order or on the threads. Equal keys mark exact copies.
 *
 * @param vectors - `[n][d]` finite numbers from one embedder, or the sparse vectors that
 * `corpusVectors` returns, which must not change while the graph is used.
 * @param options - as for `similarityGraph` in `@kp/vector-cache`, except that all neighbours are
 * kept by default up to 2,000 runs, and 32 per run beyond that.
 * @throws {@link CurationInputError} if an option or a sparse vector is invalid, the errors of
 * `similarityGraph` in `@kp/vector-cache` if a dense vector is, and the signal's reason.
 */
export async function buildSimilarityGraph(
  vectors: readonly ArrayLike<number>[] | SparseVectors,
  options: SimilarityGraphOptions,
): Promise<SimilarityGraph> {
  checkOptions(options, GRAPH_OPTIONS);
  const { keys, neighbors } = options;
  if (typeof vectors !== 'object' || vectors === null) {
    throw new CurationInputError('vectors', 'an array, or what corpusVectors returns', vectors);
  }
  const isSparse = 'kind' in vectors;
  const size = isSparse ? vectors.rows.length : vectors.length;
  checkKeys(keys, size);
  if (neighbors !== undefined) checkCount('neighbors', neighbors, 1);
  const most = Math.max(0, size - 1);
  const kept = Math.min(neighbors ?? (size <= EXACT_SIZE ? most : DEFAULT_NEIGHBORS), most);
  if (isSparse) return sparseGraph(vectors, kept, options);
  return similarityGraph(vectors, { ...options, neighbors: Math.max(1, kept) });
}

async function sparseGraph(
  vectors: SparseVectors,
  neighbors: number,
  { keys, threads, signal, onProgress }: SimilarityGraphOptions,
): Promise<SimilarityGraph> {
  signal?.throwIfAborted();
  const order = keyOrder(keys);
  const { use, ...lists } = await findNearest(vectors, order, {
    neighbors,
    threads,
    signal,
    onProgress,
  });
  return {
    size: order.length,
    neighbors,
    keys,
    order,
    ...lists,
    similarity: (a, b) => (a === b ? 1 : sparseSimilarity(vectors.rows[a], vectors.rows[b])),
    computation: { engine: 'typescript', ...use },
  };
}

function checkKeys(keys: readonly string[], size: number): void {
  checkEntries('keys', keys, size);
  const wrong = keys.findIndex((key) => typeof key !== 'string');
  if (wrong >= 0) throw new CurationInputError(`keys[${wrong}]`, 'a string', keys[wrong]);
}
