import seedrandom from 'seedrandom';
import type { ReportCluster, ReportMap } from './report-data.ts';

/** The nearest neighbours of every run, itself not among them. */
export interface MapNeighbors {
  /** How many a run has. */
  readonly count: number;
  /** `[n × count]`, places of runs, the nearest first. */
  readonly indices: ArrayLike<number>;
  /** `[n × count]`, cosine similarities. */
  readonly similarities: ArrayLike<number>;
}

/** A vector of which only the components that are not 0 are kept. */
export interface SparseVector {
  readonly indices: ArrayLike<number>;
  readonly values: ArrayLike<number>;
}

export type RunVector = Float32Array | SparseVector;

export interface MapOptions {
  /** Given these, up to 2,000 runs are laid out by UMAP, which shows groups better. */
  readonly neighbors?: MapNeighbors | undefined;
  /** Groups of runs that repeat each other, by their places. */
  readonly duplicates?: readonly (readonly number[])[] | undefined;
  /** A text a run, to name the groups by; left out, groups have no names. */
  readonly texts?: readonly string[] | undefined;
}

const MOST_FOR_UMAP = 2000;
// UMAP needs some neighbours to place a run among; the plane of fewer says nothing.
const FEWEST_FOR_UMAP = 12;
const ROUNDS = 30;
const SEED = 'map of runs';

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
  const principal = principalPlane(vectors);
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

type Plane = readonly [x: Float64Array, y: Float64Array];

/**
 * Projections on the two directions of most variance, by orthogonal iteration: libraries decompose
 * the whole matrix, which takes two minutes at 10,000 runs.
 *
 * @see Golub and Van Loan 2013, Matrix Computations, 8.2.4.
 */
function principalPlane(vectors: readonly RunVector[]): Plane {
  const dimensions = vectors.reduce((most, vector) => Math.max(most, lengthOf(vector)), 0);
  const mean = new Float64Array(dimensions);
  for (const vector of vectors) addScaled(mean, vector, 1 / vectors.length);
  const random = seedrandom(SEED);
  let first: Float64Array = Float64Array.from({ length: dimensions }, random);
  let second: Float64Array = Float64Array.from({ length: dimensions }, random);
  for (let round = 0; round < ROUNDS; round++) {
    first = normalized(covarianceTimes(vectors, mean, first));
    second = covarianceTimes(vectors, mean, second);
    addScaled(second, first, -dot(first, second));
    second = normalized(second);
  }
  const project = (direction: Float64Array): Float64Array => {
    const shift = dot(mean, direction);
    return Float64Array.from(vectors, (vector) => dot(vector, direction) - shift);
  };
  return [project(first), project(second)];
}

function covarianceTimes(
  vectors: readonly RunVector[],
  mean: Float64Array,
  direction: Float64Array,
): Float64Array {
  const result = new Float64Array(direction.length);
  const shift = dot(mean, direction);
  let weights = 0;
  for (const vector of vectors) {
    const weight = dot(vector, direction) - shift;
    weights += weight;
    addScaled(result, vector, weight);
  }
  addScaled(result, mean, -weights);
  return result;
}

function lengthOf(vector: RunVector): number {
  if (!('indices' in vector)) return vector.length;
  return 1 + Array.from(vector.indices).reduce((most, index) => Math.max(most, index), -1);
}

function addScaled(
  sum: Float64Array,
  vector: ArrayLike<number> | SparseVector,
  factor: number,
): void {
  if ('indices' in vector) {
    const { indices, values } = vector;
    for (let at = 0; at < indices.length; at++) {
      const i = indices[at] as number;
      sum[i] = (sum[i] as number) + factor * (values[at] as number);
    }
    return;
  }
  for (let i = 0; i < sum.length; i++) {
    sum[i] = (sum[i] as number) + factor * (vector[i] as number);
  }
}

function normalized(vector: Float64Array): Float64Array {
  const norm = Math.sqrt(dot(vector, vector));
  return norm === 0 ? vector : vector.map((value) => value / norm);
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
  const points = await umap.fitAsync(Array.from(x, (value, run) => [value, y[run] as number]));
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

const MOST_CLUSTERS = 12;

/**
 * Groups of what lies together on the plane, the largest first: points in cells of a grid that touch.
 */
function cluster(x: Float64Array, y: Float64Array): number[][] {
  const size = x.length;
  if (size < 3) return [];
  const cells = new Map<string, number[]>();
  const width = Math.max(spread(x), spread(y)) / Math.max(4, Math.sqrt(size) * 0.7) || 1;
  const cellOf = (i: number): [number, number] => [
    Math.floor((x[i] as number) / width),
    Math.floor((y[i] as number) / width),
  ];
  for (let i = 0; i < size; i++) {
    const key = cellOf(i).join();
    cells.set(key, [...(cells.get(key) ?? []), i]);
  }
  const groupOf = new Int32Array(size).fill(-1);
  const groups: number[][] = [];
  for (let start = 0; start < size; start++) {
    if (groupOf[start] !== -1) continue;
    const group = [start];
    groupOf[start] = groups.length;
    // Cells that touch belong together: single linkage at the resolution of the picture.
    for (const i of group) {
      const [column, row] = cellOf(i);
      for (let dx = -1; dx <= 1; dx++) {
        for (let dy = -1; dy <= 1; dy++) {
          for (const j of cells.get(`${column + dx},${row + dy}`) ?? []) {
            if (groupOf[j] !== -1) continue;
            groupOf[j] = groups.length;
            group.push(j);
          }
        }
      }
    }
    groups.push(group.sort((a, b) => a - b));
  }
  return groups
    .filter((group) => group.length > 2)
    .sort((a, b) => b.length - a.length || (a[0] as number) - (b[0] as number))
    .slice(0, MOST_CLUSTERS);
}

const WORDS_A_CLUSTER = 3;

/** Names groups by the words that are most of them and least of the others. */
function named(groups: readonly number[][], texts: readonly string[]): ReportCluster[] {
  const words = texts.map((text) => new Set(text.toLowerCase().match(/\p{L}{4,24}/gu) ?? []));
  const everywhere = new Map<string, number>();
  for (const set of words) count(set, everywhere);
  return groups.map((runs) => {
    const here = new Map<string, number>();
    for (const run of runs) count(words[run] ?? [], here);
    const weight = ([word, runsWithIt]: [string, number]): number =>
      (runsWithIt / runs.length) * Math.log((texts.length + 1) / (everywhere.get(word) ?? 1));
    const best = [...here].sort((a, b) => weight(b) - weight(a) || (a[0] < b[0] ? -1 : 1));
    return { runs, words: best.slice(0, WORDS_A_CLUSTER).map(([word]) => word) };
  });
}

function count(words: Iterable<string>, counts: Map<string, number>): void {
  for (const word of words) counts.set(word, (counts.get(word) ?? 0) + 1);
}

function dot(a: ArrayLike<number> | SparseVector, b: ArrayLike<number>): number {
  let sum = 0;
  if ('indices' in a) {
    const { indices, values } = a;
    for (let at = 0; at < indices.length; at++) {
      sum += (values[at] as number) * (b[indices[at] as number] as number);
    }
    return sum;
  }
  for (let i = 0; i < a.length; i++) sum += (a[i] as number) * (b[i] as number);
  return sum;
}

function spread(values: Float64Array): number {
  let [least, most] = [Infinity, -Infinity];
  for (const value of values) {
    least = Math.min(least, value);
    most = Math.max(most, value);
  }
  return most - least;
}

/** Scaled to 0 to 1, four digits; all in the middle when they do not differ. */
function inUnit(values: Float64Array): number[] {
  const width = spread(values);
  const least = values.reduce((a, b) => Math.min(a, b), Infinity);
  return Array.from(values, (value) =>
    width === 0 ? 0.5 : Math.round(((value - least) / width) * 1e4) / 1e4,
  );
}
