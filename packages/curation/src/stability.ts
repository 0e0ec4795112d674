import {
  type Formula,
  noveltyOf,
  rescore,
  type ScoreChange,
  type ScoreReport,
  type ScoringWeights,
  UNKNOWN_NOVELTY,
} from '@kp/scoring';
import type { SimilarityGraph } from '@kp/vector-cache';
import { seededIntegers } from './baseline.ts';
import { kendallTau, overlapOfTop } from './rank-statistics.ts';

/** What a change does to the ranking, against the scores as they are. */
export interface Stability {
  /** What was changed, in words. */
  readonly change: string;
  /** Kendall's τ, in [−1, 1]; this and what follows are means where there are several changes. */
  readonly tau: number;
  /** The share of the top that stays, in [0, 1]. */
  readonly topKept: number;
  /** The share of runs that cross the threshold, in [0, 1]. */
  readonly flipped: number;
}

interface StabilityOptions {
  readonly threshold: number;
  readonly top: number;
  readonly graph?: SimilarityGraph;
  readonly formula?: Formula;
}

const SHUFFLES = 20;
const WEIGHT_CHANGE = 0.2;
const SEED = 0xa0d17;

/**
 * What changes of each weight by a fifth, and other orders of the runs where their graph is given, do
 * to the ranking.
 */
export function stabilityOf(
  reports: readonly ScoreReport[],
  names: readonly string[],
  { threshold, top, graph, formula }: StabilityOptions,
): Stability[] {
  const scores = reports.map(({ score }) => score);
  const rescoreBy = (report: ScoreReport, change: ScoreChange): number =>
    rescore(report, change, formula).score;
  const compare = (change: string, others: readonly (readonly number[])[]): Stability => {
    const mean = (of: (other: readonly number[]) => number): number =>
      others.reduce((sum, other) => sum + of(other), 0) / others.length;
    return {
      change,
      tau: mean((other) => kendallTau(scores, other)),
      topKept: mean((other) => overlapOfTop(scores, other, top)),
      flipped: mean((other) => flips(scores, other, threshold) / scores.length),
    };
  };
  const weightChanges = names.flatMap((name) =>
    [1 - WEIGHT_CHANGE, 1 + WEIGHT_CHANGE].map((factor) => {
      const sign = factor < 1 ? '−20 %' : '+20 %';
      const changed = reports.map((report) =>
        rescoreBy(report, { weights: scaled(report.weights, name, factor) }),
      );
      return compare(`weight of ${name} ${sign}`, [changed]);
    }),
  );
  if (graph === undefined) return weightChanges;
  const next = seededIntegers(SEED);
  const orders = Array.from({ length: SHUFFLES }, () => {
    const novelty = noveltyInOrder(graph, shuffledRanks(graph, next));
    return reports.map((report, run) => rescoreBy(report, { novelty: novelty[run] }));
  });
  return [compare('another order, novelty against earlier runs only', orders), ...weightChanges];
}

function flips(scores: readonly number[], others: readonly number[], threshold: number): number {
  return scores.filter((score, run) => score >= threshold !== others[run] >= threshold).length;
}

function scaled(weights: ScoringWeights, name: string, factor: number): ScoringWeights {
  const changed = { ...weights, [name]: (weights[name] ?? 0) * factor };
  const sum = Object.values(changed).reduce((total, weight) => total + weight, 0);
  for (const key of Object.keys(changed)) changed[key] = changed[key] / sum;
  return changed;
}

/** The novelty that a streaming scorer gives each run if they come in the order of their ranks. */
function noveltyInOrder(graph: SimilarityGraph, ranks: Uint32Array): Float64Array {
  const { neighbors, indices, similarities } = graph;
  return Float64Array.from(ranks, (rank, run) => {
    if (rank === 0) return UNKNOWN_NOVELTY;
    const end = (run + 1) * neighbors;
    let at = run * neighbors;
    // If no neighbour is earlier, the last one stands in for all further runs, as in corpusNovelty.
    while (at < end - 1 && ranks[indices[at]] > rank) at++;
    return noveltyOf(similarities[at]);
  });
}

/** A rank for each run, drawn in the order of keys. */
function shuffledRanks({ order }: SimilarityGraph, next: (below: number) => number): Uint32Array {
  const ranks = Uint32Array.from(order.keys());
  for (let left = ranks.length; left > 1; left--) {
    const [last, other] = [order[left - 1], order[next(left)]];
    [ranks[last], ranks[other]] = [ranks[other], ranks[last]];
  }
  return ranks;
}
