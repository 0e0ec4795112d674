import type { SimilarityGraph } from '@kp/vector-cache';
import { checkEntries, checkGraph, checkNumber, checkOptions } from './errors.ts';

/** Options of {@link findDuplicates}. */
export interface DuplicateOptions {
  /** Similarity in [-1, 1] above which runs are joined; runs with equal keys are always joined. */
  readonly threshold: number;
}

const DUPLICATE_OPTIONS: Readonly<Record<keyof DuplicateOptions, true>> = {
  threshold: true,
};

/**
 * Finds groups of near-duplicates: runs connected by similarities above the threshold or by equal
 * keys. The result is exact if no run has more than `graph.neighbors` runs above the threshold; a
 * duplicate beyond that list is almost always connected through another run.
 *
 * @param graph - the corpus.
 * @returns Groups of two or more runs in key order; no run is in two groups.
 */
export function findDuplicates(graph: SimilarityGraph, options: DuplicateOptions): number[][] {
  checkGraph(graph);
  checkOptions(options, DUPLICATE_OPTIONS);
  checkNumber('threshold', options.threshold, -1, 1);
  const { size, neighbors, order, keys, indices, similarities } = graph;
  const roots = Int32Array.from(order.keys());
  const rootOf = (run: number): number => {
    let root = run;
    while (roots[root] !== root) {
      roots[root] = roots[roots[root]];
      root = roots[root];
    }
    return root;
  };
  const join = (a: number, b: number): void => {
    roots[rootOf(a)] = rootOf(b);
  };
  for (let place = 1; place < size; place++) {
    if (keys[order[place]] === keys[order[place - 1]]) join(order[place], order[place - 1]);
  }
  for (let at = 0; at < indices.length; at++) {
    if (similarities[at] > options.threshold) join(Math.floor(at / neighbors), indices[at]);
  }
  return [...Map.groupBy(order, rootOf).values()].filter((group) => group.length > 1);
}

/** Criteria for choosing the run of a group to keep. */
export interface RunMerit {
  /** Whether it succeeded; undefined if unknown, which ranks between the two. */
  readonly success: boolean | undefined;
  /** In [0, 1]. */
  readonly score: number;
}

/** A group of near-duplicates. */
export interface DuplicateGroup {
  /** The run to keep: best outcome, then score, then smallest key. */
  readonly representative: number;
  /** The others, in the order of keys. */
  readonly members: readonly {
    readonly run: number;
    /** Similarity to the representative. Groups are chains, so it can be below the threshold. */
    readonly similarity: number;
  }[];
}

/**
 * Finds the groups of {@link findDuplicates} with the run to keep.
 *
 * @param graph - the corpus.
 * @param merits - one per run.
 */
export function groupDuplicates(
  graph: SimilarityGraph,
  merits: readonly RunMerit[],
  options: DuplicateOptions,
): DuplicateGroup[] {
  checkGraph(graph);
  checkEntries('merits', merits, graph.size);
  return findDuplicates(graph, options).map((group) => {
    const representative = group.reduce((best, run) =>
      isBetter(merits[run], merits[best]) ? run : best,
    );
    const members = group
      .filter((run) => run !== representative)
      .map((run) => ({ run, similarity: graph.similarity(representative, run) }));
    return { representative, members };
  });
}

function isBetter(a: RunMerit, than: RunMerit): boolean {
  const [first, second] = [outcomeRank(a.success), outcomeRank(than.success)];
  return first === second ? a.score > than.score : first > second;
}

function outcomeRank(success: boolean | undefined): number {
  if (success === undefined) return 1;
  return success ? 2 : 0;
}
