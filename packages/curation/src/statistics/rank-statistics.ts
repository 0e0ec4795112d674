import { seededIntegers } from '@kp/foundation';
import { checkEntries, checkList } from '../corpus/errors.ts';

/** An estimate with the middle 95 % of its resamplings. */
export interface Interval {
  /** The estimate. */
  readonly value: number;
  /** The lower end of the middle 95 %. */
  readonly low: number;
  /** The upper end of the middle 95 %. */
  readonly high: number;
}

const RESAMPLINGS = 1_000;
const SEED = 0xb007;
const MOST_PAIRS = 200_000;

/**
 * Computes the area under the ROC curve (AUC) of values for outcomes: the probability that a
 * success has a greater value than a failure, with ties counting half. NaN unless both outcomes
 * occur.
 *
 * @param values - one per run, such as its score.
 * @param outcomes - whether each run succeeded, in the same order.
 */
export function areaUnderCurve(values: readonly number[], outcomes: readonly boolean[]): number {
  if (!ArrayBuffer.isView(values)) checkList('values', values);
  checkEntries('outcomes', outcomes, values.length);
  return areaInOrder(ascending(values), values, outcomes);
}

/**
 * Computes the AUC with an interval from resampling whole groups, because runs of one task are not
 * independent.
 */
export function areaWithInterval(
  values: readonly number[],
  outcomes: readonly boolean[],
  groups: readonly string[],
): Interval {
  const order = ascending(values);
  const names = [...new Set(groups)];
  const groupOf = new Map(names.map((name, index) => [name, index]));
  const indices = groups.map((group) => groupOf.get(group) ?? 0);
  const next = seededIntegers(SEED);
  const areas: number[] = [];
  const drawn = new Float64Array(names.length);
  for (let resampling = 0; resampling < RESAMPLINGS; resampling++) {
    drawn.fill(0);
    for (let draw = 0; draw < names.length; draw++) {
      const index = next(names.length);
      drawn[index] = drawn[index] + 1;
    }
    const weights = indices.map((index) => drawn[index]);
    const area = areaInOrder(order, values, outcomes, weights);
    if (!Number.isNaN(area)) areas.push(area);
  }
  return { value: areaInOrder(order, values, outcomes), ...middle(areas) };
}

/**
 * Computes the AUC within groups: the share of pairs of a success and a failure in one group in
 * which the success has the greater value, with ties counting half. The interval comes from
 * resampling groups.
 *
 * @returns undefined without such a pair.
 */
export function areaWithinGroups(
  values: readonly number[],
  outcomes: readonly boolean[],
  groups: readonly string[],
): Interval | undefined {
  const counts = [...Map.groupBy(groups.keys(), (run) => groups[run]).values()].flatMap((runs) => {
    const successes = runs.filter((run) => outcomes[run]).length;
    const pairs = successes * (runs.length - successes);
    const of = <T>(all: readonly T[]): T[] => runs.map((run) => all[run]);
    return pairs === 0 ? [] : { pairs, won: pairs * areaUnderCurve(of(values), of(outcomes)) };
  });
  if (counts.length === 0) return undefined;
  const area = (drawn: typeof counts): number =>
    drawn.reduce((sum, { won }) => sum + won, 0) / drawn.reduce((sum, { pairs }) => sum + pairs, 0);
  const next = seededIntegers(SEED);
  const areas = Array.from({ length: RESAMPLINGS }, () =>
    area(counts.map(() => counts[next(counts.length)])),
  );
  return { value: area(counts), ...middle(areas) };
}

/** Returns the middle 95 % of resampled values. */
export function middle(values: readonly number[]): { readonly low: number; readonly high: number } {
  const sorted = values.toSorted((a, b) => a - b);
  const at = (share: number): number =>
    sorted[Math.round(share * (sorted.length - 1))] ?? Number.NaN;
  return { low: at(0.025), high: at(0.975) };
}

function ascending(values: readonly number[]): number[] {
  return [...values.keys()].sort((a, b) => values[a] - values[b]);
}

function areaInOrder(
  order: readonly number[],
  values: readonly number[],
  outcomes: readonly boolean[],
  weights?: ArrayLike<number>,
): number {
  let failures = 0;
  let successes = 0;
  let won = 0;
  for (let start = 0; start < order.length; ) {
    let end = start;
    let tiedFailures = 0;
    let tiedSuccesses = 0;
    const value = values[order[start]];
    // NaN is not equal to itself: without the first condition the loop would never end.
    for (; end === start || (end < order.length && values[order[end]] === value); end++) {
      const run = order[end];
      const weight = weights?.[run] ?? 1;
      if (outcomes[run] === true) tiedSuccesses += weight;
      else tiedFailures += weight;
    }
    won += tiedSuccesses * (failures + tiedFailures / 2);
    failures += tiedFailures;
    successes += tiedSuccesses;
    start = end;
  }
  return failures * successes === 0 ? Number.NaN : won / (failures * successes);
}

/**
 * Computes Kendall's τ of two rankings: the share of pairs in the same order minus the share in the
 * opposite order. Pairs tied in either ranking are excluded. 1 without any pair.
 */
export function kendallTau(a: readonly number[], b: readonly number[]): number {
  let agreement = 0;
  let counted = 0;
  forEachPair(a.length, (first, second) => {
    const order = Math.sign(a[first] - a[second]) * Math.sign(b[first] - b[second]);
    agreement += order;
    counted += Math.abs(order);
  });
  return counted === 0 ? 1 : agreement / counted;
}

/** Visits every pair of `size` places once, or 200,000 seeded pairs if there are more. */
export function forEachPair(size: number, visit: (first: number, second: number) => void): void {
  if ((size * (size - 1)) / 2 <= MOST_PAIRS) {
    for (let first = 0; first < size; first++) {
      for (let second = first + 1; second < size; second++) visit(first, second);
    }
    return;
  }
  const next = seededIntegers(SEED);
  for (let pair = 0; pair < MOST_PAIRS; pair++) visit(next(size), next(size));
}

/**
 * Returns the share of the k greatest values of one list that are among the k greatest of the
 * other; ties go to the first.
 */
export function overlapOfTop(a: readonly number[], b: readonly number[], k: number): number {
  const top = (values: readonly number[]): number[] =>
    [...values.keys()].sort((x, y) => values[y] - values[x]).slice(0, k);
  const first = new Set(top(a));
  return top(b).filter((run) => first.has(run)).length / first.size;
}

/** Returns the mean; NaN without values. */
export function mean(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}
