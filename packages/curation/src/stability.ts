import type { ScoreReport, ScoringWeights } from '@kp/scoring';
import { seededIntegers } from './baseline.ts';
import { kendallTau, overlapOfTop } from './rank-statistics.ts';
import { rescore } from './rescore.ts';
import type { SimilarityGraph } from './similarity-graph.ts';

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
  { threshold, top, graph }: { threshold: number; top: number; graph: SimilarityGraph | undefined },
): Stability[] {
  const scores = reports.map(({ score }) => score);
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
        rescore(report, { weights: scaled(report.weights, name, factor) }),
      );
      return compare(`weight of ${name} ${sign}`, [changed]);
    }),
  );
  if (graph === undefined) return weightChanges;
  const next = seededIntegers(SEED);
  const orders = Array.from({ length: SHUFFLES }, () => {
    const novelty = noveltyInOrder(graph, shuffledPlaces(graph.size, next));
    return reports.map((report, run) => rescore(report, { novelty: novelty[run] as number }));
  });
  return [compare('another order, novelty against earlier runs only', orders), ...weightChanges];
}

function flips(scores: readonly number[], others: readonly number[], threshold: number): number {
  return scores.filter((score, run) => score >= threshold !== (others[run] as number) >= threshold)
    .length;
}

function scaled(weights: ScoringWeights, name: string, factor: number): ScoringWeights {
  const changed = { ...weights, [name]: (weights[name] ?? 0) * factor };
  const sum = Object.values(changed).reduce((total, weight) => total + weight, 0);
  for (const key of Object.keys(changed)) changed[key] = (changed[key] as number) / sum;
  return changed;
}

/** The novelty that a streaming scorer gives each run when they come in an order of ranks. */
function noveltyInOrder(graph: SimilarityGraph, ranks: Uint32Array): Float64Array {
  const { size, neighbors, order, lists } = graph;
  const novelty = new Float64Array(size);
  for (let place = 0; place < size; place++) {
    const rank = ranks[place] as number;
    let found = rank === 0 ? 0.5 : Number.NaN;
    for (let at = place * neighbors; Number.isNaN(found); at++) {
      const isLast = at === (place + 1) * neighbors - 1;
      // Beyond the list the last one stands for all, as in the novelty of the corpus.
      if (isLast || (ranks[lists.places[at] as number] as number) < rank) {
        found = Math.min(1, Math.max(0, 1 - (lists.similarities[at] as number)));
      }
    }
    novelty[order[place] as number] = found;
  }
  return novelty;
}

function shuffledPlaces(size: number, next: (below: number) => number): Uint32Array {
  const ranks = Uint32Array.from({ length: size }, (_, place) => place);
  for (let at = size - 1; at > 0; at--) {
    const other = next(at + 1);
    [ranks[at], ranks[other]] = [ranks[other] as number, ranks[at] as number];
  }
  return ranks;
}
