/** What a person said of a run, and the run's values. */
interface Rated {
  readonly values: readonly number[];
  readonly rating: number;
}

const SWEEPS = 500;
/** Keeps weights finite where the ratings are met exactly, and equal where values are alike. */
const RIDGE = 1e-3;
const MOST_PAIRS = 20_000;

/**
 * The weights, each at least 0 and together 1, for which the weighted sum is nearest to the ratings
 * by least squares, the ratings shifted and stretched as fits best. All equal when no value goes
 * with the ratings.
 */
export function leastSquaresWeights(runs: readonly Rated[]): number[] {
  const width = runs[0]?.values.length ?? 0;
  const means = Array.from({ length: width }, (_, at) =>
    mean(runs.map(({ values }) => values[at])),
  );
  const middle = mean(runs.map(({ rating }) => rating));
  const rows = runs.map(({ values }) => values.map((value, at) => value - means[at]));
  const targets = runs.map(({ rating }) => rating - middle);
  return descend(width, (weights, at) => {
    let slope = 0;
    let curvature = RIDGE * runs.length;
    for (const [index, row] of rows.entries()) {
      const value = row[at];
      const residual = targets[index] - dot(row, weights);
      slope += value * residual;
      curvature += value * value;
    }
    return { slope: slope - RIDGE * runs.length * weights[at], curvature };
  });
}

/**
 * The weights, each at least 0 and together 1, under which the run rated higher of each pair is most
 * likely the one of the greater sum, in the logistic model. Of more than 20,000 pairs evenly spaced
 * ones are taken.
 */
export function pairwiseWeights(runs: readonly Rated[]): number[] {
  const width = runs[0]?.values.length ?? 0;
  const sorted = runs.toSorted((a, b) => b.rating - a.rating);
  const step = Math.ceil((runs.length * (runs.length - 1)) / 2 / MOST_PAIRS);
  const rows: number[][] = [];
  let count = 0;
  for (const [index, better] of sorted.entries()) {
    for (const worse of sorted.slice(index + 1)) {
      if (better.rating === worse.rating || count++ % step !== 0) continue;
      rows.push(better.values.map((value, at) => value - worse.values[at]));
    }
  }
  return descend(width, (weights, at) => {
    let slope = 0;
    let curvature = RIDGE * rows.length;
    for (const row of rows) {
      const value = row[at];
      slope += value / (1 + Math.exp(dot(row, weights)));
      // The logistic loss bends by a quarter at most.
      curvature += (value * value) / 4;
    }
    return { slope: slope - RIDGE * rows.length * weights[at], curvature };
  });
}

/** Coordinate descent on weights of at least 0, scaled to sum to 1. */
function descend(
  width: number,
  bend: (weights: readonly number[], at: number) => { slope: number; curvature: number },
): number[] {
  const weights = new Array<number>(width).fill(0);
  for (let sweep = 0; sweep < SWEEPS; sweep++) {
    let moved = 0;
    for (let at = 0; at < width; at++) {
      const { slope, curvature } = bend(weights, at);
      const before = weights[at];
      weights[at] = curvature === 0 ? 0 : Math.max(0, before + slope / curvature);
      moved = Math.max(moved, Math.abs(weights[at] - before));
    }
    if (moved < 1e-9) break;
  }
  const sum = weights.reduce((total, weight) => total + weight, 0);
  return weights.map((weight) => (sum === 0 ? 1 / width : weight / sum));
}

function dot(a: readonly number[], b: readonly number[]): number {
  return a.reduce((sum, value, index) => sum + value * b[index], 0);
}

function mean(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}
