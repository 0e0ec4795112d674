import seedrandom from 'seedrandom';
import { cluster, named, spread } from './map-clusters.ts';
import { dot, type Plane, principalPlane, type RunVector } from './principal-plane.ts';
import type { ReportMap } from './report-data.ts';

/** The nearest neighbours of every run, itself not among them. */
export interface MapNeighbors {
  /** How many a run has. */
  readonly count: number;
  /** `[n × count]`, places of runs, the nearest first. */
  readonly indices: ArrayLike<number>;
  /** `[n × count]`, cosine similarities. */
  readonly similarities: ArrayLike<number>;
}

/** What helps to lay out a map. */
export interface MapOptions {
  /** Given these, up to 2,000 runs are laid out by UMAP, which shows groups better. */
  readonly neighbors?: MapNeighbors;
  /** Groups of runs that repeat each other, by their places. */
  readonly duplicates?: readonly (readonly number[])[];
  /** A text a run, to name the groups by; left out, groups have no names. */
  readonly texts?: readonly string[];
}

const MOST_FOR_UMAP = 2000;
// UMAP needs some neighbours to place a run among; the plane of fewer says nothing.
const FEWEST_FOR_UMAP = 12;
const SEED = 'map of runs';
// What else waits for the thread gets its turn.
const LONGEST_MS = 50;

/**
 * Places runs on a plane, near when their vectors are alike: by principal components, refined by
 * UMAP where there are few enough. The same vectors give the same plane.
 *
 * @param vectors - `[d]` each, dense or sparse, one a run.
 * @see McInnes, Healy and Melville 2018, UMAP, arXiv 1802.03426.
 */
export async function layOutRuns(
  vectors: readonly RunVector[],
  options: MapOptions = {},
): Promise<ReportMap> {
  const { duplicates = [], neighbors, texts } = options;
  const principal = principalPlane(vectors, SEED);
  const small =
    neighbors !== undefined &&
    vectors.length <= MOST_FOR_UMAP &&
    vectors.length > Math.max(FEWEST_FOR_UMAP, neighbors.count);
  const [x, y] = small ? await refineByUmap(neighbors, principal) : principal;
  const method = small ? 'umap' : 'pca';
  const groups = cluster(x, y);
  const clusters = texts === undefined ? groups.map((runs) => ({ runs })) : named(groups, texts);
  return { x: inUnit(x), y: inUnit(y), method, duplicates, clusters };
}

async function refineByUmap(
  { count, indices, similarities }: MapNeighbors,
  [x, y]: Plane,
): Promise<Plane> {
  const { UMAP } = await import('umap-js');
  const umap = new UMAP({ nNeighbors: count + 1, minDist: 0.15, random: seedrandom(SEED) });
  // The library counts a run as the first of its own neighbours.
  const rowOf = (values: ArrayLike<number>, run: number): number[] =>
    Array.from({ length: count }, (_, place) => values[run * count + place] as number);
  umap.setPrecomputedKNN(
    Array.from(x, (_, run) => [run, ...rowOf(indices, run)]),
    Array.from(x, (_, run) => [
      0,
      ...rowOf(similarities, run).map((each) => Math.max(0, 1 - each)),
    ]),
  );
  // With its neighbours given, all it takes from the points is how many there are.
  const epochs = umap.initializeFit(Array.from(x, (value, run) => [value, y[run] as number]));
  let last = performance.now();
  for (let epoch = 0; epoch < epochs; epoch++) {
    umap.step();
    // The library's own way waits after each of 500 steps, which takes a busy machine a minute.
    if (performance.now() - last < LONGEST_MS) continue;
    await new Promise((resolve) => setTimeout(resolve));
    last = performance.now();
  }
  const points = umap.getEmbedding();
  const plane: Plane = [
    Float64Array.from(points, (point) => point[0] ?? 0),
    Float64Array.from(points, (point) => point[1] ?? 0),
  ];
  // UMAP turns and mirrors at will; the principal plane says which way is which.
  for (const [axis, guide] of [
    [plane[0], x],
    [plane[1], y],
  ] as const) {
    if (dot(axis, guide) < 0)
      axis.forEach((value, i) => {
        axis[i] = -value;
      });
  }
  return plane;
}

/** Scaled to 0 to 1, four digits; all in the middle when they do not differ. */
function inUnit(values: Float64Array): number[] {
  const width = spread(values);
  const least = values.reduce((a, b) => Math.min(a, b), Infinity);
  return Array.from(values, (value) =>
    width === 0 ? 0.5 : Math.round(((value - least) / width) * 1e4) / 1e4,
  );
}
