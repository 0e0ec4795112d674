import fc from 'fast-check';
import { buildSimilarityGraph, type SimilarityGraph } from '../src/index.ts';

export interface Corpus {
  readonly vectors: readonly Float32Array[];
  readonly keys: readonly string[];
}

/** Small corpora with clusters, exact copies and zero vectors; keys are unique. */
export function corpora(most: number, least = 1): fc.Arbitrary<Corpus> {
  const component = fc.integer({ min: -3, max: 3 });
  const vector = fc.array(component, { minLength: 5, maxLength: 5 });
  return fc.array(vector, { minLength: least, maxLength: most }).map((vectors) => ({
    vectors: vectors.map((values) => Float32Array.from(values)),
    keys: vectors.map((_, index) => `k${(index * 7919) % 101}-${index}`),
  }));
}

export function graphOf(corpus: Corpus, neighbors?: number): Promise<SimilarityGraph> {
  return buildSimilarityGraph(corpus.vectors, { keys: corpus.keys, neighbors });
}

/** The corpus in another order, and the original position of each run. */
export function reordered(corpus: Corpus, order: readonly number[]): Corpus {
  return {
    vectors: order.map((run) => corpus.vectors[run]),
    keys: order.map((run) => corpus.keys[run]),
  };
}

/** A corpus together with one of its permutations. */
export function shuffledCorpora(most: number): fc.Arbitrary<readonly [Corpus, readonly number[]]> {
  return corpora(most).chain((corpus) => {
    const runs = corpus.keys.map((_, run) => run);
    const order = fc.shuffledSubarray(runs, { minLength: runs.length });
    return order.map((shuffled) => [corpus, shuffled] as const);
  });
}
