import type { SimilarityGraph } from './similarity-graph.ts';

/** Two values closer than this are a tie, and a gain under it is none. */
export const TIE = 1e-6;

/** Who covers whom and how well, by place: sparse rows of the places that a run covers. */
export interface CoverWeights {
  readonly size: number;
  /** `[size + 1]`: where each row begins. */
  readonly starts: Uint32Array;
  readonly places: Uint32Array;
  /** In (0, 1]; the first of each row is the run itself, 1. */
  readonly weights: Float64Array;
}

/**
 * `max(0, (s − b) / (1 − b))` of every pair of which one is a neighbour of the other, 0 of all
 * other pairs. When b is 1 but for {@link TIE}: 1 where s is, else 0.
 */
export function coverWeights(graph: SimilarityGraph, baseline: number): CoverWeights {
  const { size, neighbors } = graph;
  const incoming = neighbors === size - 1 ? undefined : incomingOf(graph, baseline);
  const most = size + size * neighbors + (incoming?.places.length ?? 0);
  const starts = new Uint32Array(size + 1);
  const places = new Uint32Array(most);
  const weights = new Float64Array(most);
  const listedBy = new Int32Array(size).fill(-1);
  let count = 0;
  const append = (place: number, weight: number): void => {
    places[count] = place;
    weights[count++] = weight;
  };
  for (let place = 0; place < size; place++) {
    append(place, 1);
    for (let at = place * neighbors; at < (place + 1) * neighbors; at++) {
      const weight = weightOf(graph.lists.similarities[at] as number, baseline);
      if (weight <= 0) break;
      const other = graph.lists.places[at] as number;
      listedBy[other] = place;
      append(other, weight);
    }
    const end = incoming?.starts[place + 1] ?? 0;
    for (let at = incoming?.starts[place] ?? 0; at < end; at++) {
      const other = incoming?.places[at] as number;
      const weight = incoming?.weights[at] as number;
      if (weight > 0 && listedBy[other] !== place) append(other, weight);
    }
    starts[place + 1] = count;
  }
  return { size, starts, places: places.subarray(0, count), weights: weights.subarray(0, count) };
}

/** The weight of a similarity over the baseline, in [0, 1]. */
export function weightOf(similarity: number, baseline: number): number {
  if (1 - baseline < TIE) return similarity > 1 - TIE ? 1 : 0;
  return Math.min(1, Math.max(0, (similarity - baseline) / (1 - baseline)));
}

/** The lists turned round: for each run those that have it as a neighbour. */
function incomingOf(graph: SimilarityGraph, baseline: number): Omit<CoverWeights, 'size'> {
  const { size, neighbors, lists } = graph;
  const starts = new Uint32Array(size + 1);
  for (const place of lists.places) starts[place + 1] = (starts[place + 1] as number) + 1;
  for (let place = 0; place < size; place++) {
    starts[place + 1] = (starts[place + 1] as number) + (starts[place] as number);
  }
  const next = starts.slice(0, size);
  const places = new Uint32Array(lists.places.length);
  const weights = new Float64Array(lists.places.length);
  for (let at = 0; at < lists.places.length; at++) {
    const to = lists.places[at] as number;
    const slot = next[to] as number;
    next[to] = slot + 1;
    places[slot] = Math.floor(at / neighbors);
    weights[slot] = weightOf(lists.similarities[at] as number, baseline);
  }
  return { starts, places, weights };
}
