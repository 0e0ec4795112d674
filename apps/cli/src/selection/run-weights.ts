import { wrongUse } from '../output/errors.ts';
import type { Corpus, CorpusRun } from '../runs/corpus.ts';
import type { Evidence } from '../runs/evidence.ts';

export const WEIGHTS = ['none', 'score', 'grade', 'agreement', 'estimate'] as const;
/** The weighting of runs in a selection. */
export type Weight = (typeof WEIGHTS)[number];

/** Weight of a run without a value. */
const NEUTRAL_WEIGHT = 0.5;
/** Weight of a run without a value that the user already has: nothing like it is chosen again. */
const GIVEN_WEIGHT = 1;

/**
 * Returns the weight of each run, 0 to 1; undefined if all weights are equal. Runs whose messages all
 * recur in other tasks weigh less.
 *
 * @param evidenceOf - returns agreement and estimate of a run.
 * @param isGiven - whether the user already has a run, by its index.
 * @throws UsageError if no run has a value.
 */
export function runWeights(
  corpus: Corpus,
  weighBy: Weight,
  evidenceOf: (run: CorpusRun) => Evidence,
  isGiven: (index: number) => boolean,
): readonly number[] | undefined {
  const weights = weightsBy(corpus, weighBy, evidenceOf, isGiven);
  return corpus.quality?.map((quality, run) => quality * (weights?.[run] ?? 1)) ?? weights;
}

function weightsBy(
  { runs, reports }: Corpus,
  weighBy: Weight,
  evidenceOf: (run: CorpusRun) => Evidence,
  isGiven: (index: number) => boolean,
): readonly number[] | undefined {
  if (weighBy === 'none') return undefined;
  if (weighBy === 'score') return reports.map(({ score }) => score);
  const known = runs.map((run): number | undefined => {
    if (weighBy === 'grade') return run.fields.grade ?? undefined;
    const { agreement, estimate } = evidenceOf(run);
    return weighBy === 'estimate' ? estimate : (agreement ?? undefined);
  });
  return weightsOf(known, weighBy, isGiven);
}

/**
 * Converts the values of runs to weights from 0 to 1.
 *
 * @param isGiven - whether the user already has a run, by its index.
 * @throws UsageError if no run has a value.
 */
export function weightsOf(
  known: readonly (number | undefined)[],
  weighBy: 'grade' | 'agreement' | 'estimate',
  isGiven: (index: number) => boolean,
): readonly number[] {
  if (known.length > 0 && known.every((value) => value === undefined)) {
    const remedy = weighBy === 'agreement' ? 'kp audit says why there is no agreement' : undefined;
    throw wrongUse(`--weigh-by ${weighBy}`, `runs with ${NAMES[weighBy]}`, 'none', remedy);
  }
  const isShare = weighBy !== 'agreement';
  const places = isShare ? known : ranked(known);
  return places.map((share, index) => weightOfShare(share, isGiven(index)));
}

/**
 * Returns the weight of a run with this grade, estimate or rank. Without one, the weight is a middle
 * one, or the greatest if the user already has the run.
 */
export function weightOfShare(share: number | undefined, isGiven: boolean): number {
  if (share === undefined) return isGiven ? GIVEN_WEIGHT : NEUTRAL_WEIGHT;
  return Math.min(1, Math.max(0, share));
}

/** Leaves out the runs whose content the user already has. */
export function withoutGiven(
  runs: readonly number[],
  given: readonly number[],
  keyOf: (run: number) => string,
): number[] {
  const keys = new Set(given.map(keyOf));
  return runs.filter((run) => !keys.has(keyOf(run)));
}

const NAMES = { grade: 'a grade', agreement: 'agreement', estimate: 'an estimate' };

/**
 * Converts values to ranks from 0 to 1, because agreement has no unit. Equal values have equal
 * ranks.
 */
function ranked(values: readonly (number | undefined)[]): (number | undefined)[] {
  const sorted = values.filter((value) => value !== undefined).sort((a, b) => a - b);
  const places = new Map(sorted.map((value, at) => [value, at + 1]));
  return values.map((value) =>
    value === undefined ? undefined : (places.get(value) as number) / sorted.length,
  );
}
