import { wrongUse } from '../output/errors.ts';
import type { Corpus, CorpusRun } from '../runs/corpus.ts';
import type { Evidence } from '../runs/evidence.ts';

export const WEIGHTS = ['none', 'score', 'grade', 'agreement', 'estimate'] as const;
/** The weighting of runs in a selection. */
export type Weight = (typeof WEIGHTS)[number];

/** Weight of a run without a value. */
const NEUTRAL_WEIGHT = 0.5;

/**
 * Returns the weight of each run, 0 to 1; undefined if all weights are equal. Runs whose messages all
 * recur in other tasks weigh less.
 *
 * @param evidenceOf - returns agreement and estimate of a run.
 * @throws UsageError if no run has a value.
 */
export function runWeights(
  corpus: Corpus,
  weighBy: Weight,
  evidenceOf: (run: CorpusRun) => Evidence,
): readonly number[] | undefined {
  const weights = weightsBy(corpus, weighBy, evidenceOf);
  return corpus.quality?.map((quality, run) => quality * (weights?.[run] ?? 1)) ?? weights;
}

function weightsBy(
  { runs, reports }: Corpus,
  weighBy: Weight,
  evidenceOf: (run: CorpusRun) => Evidence,
): readonly number[] | undefined {
  if (weighBy === 'none') return undefined;
  if (weighBy === 'score') return reports.map(({ score }) => score);
  const known = runs.map((run): number | undefined => {
    if (weighBy === 'grade') return run.fields.grade ?? undefined;
    const { agreement, estimate } = evidenceOf(run);
    return weighBy === 'estimate' ? estimate : (agreement ?? undefined);
  });
  return weightsOf(known, weighBy);
}

/**
 * Converts the values of runs to weights from 0 to 1.
 *
 * @throws UsageError if no run has a value.
 */
export function weightsOf(
  known: readonly (number | undefined)[],
  weighBy: 'grade' | 'agreement' | 'estimate',
): readonly number[] {
  if (known.length > 0 && known.every((value) => value === undefined)) {
    const remedy = weighBy === 'agreement' ? 'kp audit says why there is no agreement' : undefined;
    throw wrongUse(`--weigh-by ${weighBy}`, `runs with ${NAMES[weighBy]}`, 'none', remedy);
  }
  const isShare = weighBy !== 'agreement';
  const places = isShare ? known : ranked(known);
  return places.map(weightOfShare);
}

/** Returns the weight of a run with this grade, estimate or rank; a middle one if it has none. */
export function weightOfShare(share: number | undefined): number {
  return share === undefined ? NEUTRAL_WEIGHT : Math.min(1, Math.max(0, share));
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
