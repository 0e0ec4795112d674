import type { SimilarityGraph } from '@kp/vector-cache';
import { TIE } from './cover-weights.ts';
import type { Cover, GreedyOptions } from './facility-location.ts';

/** Objectives that consider only the chosen runs, not how well they represent the others. */
export type SpreadObjective = 'mmr' | 'k-center';

/** Weight of quality against similarity. */
const MMR_BALANCE = 0.5;

/**
 * Selects runs by distance, for comparison with facility location: it prefers outliers, and garbled
 * runs first. `k-center` chooses the run farthest from those chosen (Gonzalez 1985), `mmr` the run
 * with the best balance of quality and distance (Carbonell and Goldstein 1998). Both start with
 * facility location's first pick and stop when only copies of chosen runs are left.
 *
 * @param quality - quality by position.
 * @param given - positions that count as chosen from the start.
 */
export function selectSpread(
  objective: SpreadObjective,
  graph: SimilarityGraph,
  cover: Cover,
  quality: Float64Array,
  given: readonly number[],
  options: GreedyOptions,
): void {
  const { size, order, similarity } = graph;
  const left = new Set(options.candidates);
  const closest = new Float64Array(size).fill(-1);
  let isFirst = true;
  const take = (place: number): void => {
    left.delete(place);
    isFirst = false;
    for (const other of left) {
      closest[other] = Math.max(closest[other], similarity(order[place], order[other]));
    }
  };
  for (const place of given) take(place);
  const worth = (place: number): number => {
    if (isFirst) return cover.gainOf(place);
    const near = closest[place];
    if (objective === 'k-center') return -near;
    return MMR_BALANCE * quality[place] - (1 - MMR_BALANCE) * near;
  };
  for (let picked = 0; picked < options.k; picked++) {
    let choice = -1;
    let best = Number.NEGATIVE_INFINITY;
    for (const place of left) {
      if (options.isBarred(place) || closest[place] > 1 - TIE) left.delete(place);
      else best = Math.max(best, worth(place));
    }
    for (const place of left) {
      if (worth(place) >= best - TIE && (choice < 0 || place < choice)) choice = place;
    }
    if (choice < 0) return;
    const gain = cover.gainOf(choice);
    cover.take(choice);
    take(choice);
    options.onPick(choice, gain);
  }
}
