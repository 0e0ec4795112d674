import { wrongUse } from '../output/errors.ts';
import type { Corpus, CorpusRun } from '../runs/corpus.ts';
import type { Evidence } from '../runs/evidence.ts';

export const WEIGHTS = ['none', 'score', 'grade', 'agreement', 'estimate'] as const;
/** What a run counts by in a selection. */
export type Weight = (typeof WEIGHTS)[number];

/** Of a run that the measure says nothing of. */
const MIDDLE = 0.5;

/**
 * The weight of each run of a corpus, 0 to 1; undefined if all weigh the same.
 *
 * @param evidenceOf - agreement and estimate of a run.
 * @throws UsageError if nothing is known of any run.
 */
export function runWeights(
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
  if (runs.length > 0 && known.every((value) => value === undefined)) {
    const remedy = weighBy === 'agreement' ? 'kp audit says why there is no agreement' : undefined;
    throw wrongUse(`--weigh-by ${weighBy}`, `runs with ${NAMES[weighBy]}`, 'none', remedy);
  }
  const isShare = weighBy !== 'agreement';
  const places = isShare ? known : ranked(known);
  return places.map((value) => (value === undefined ? MIDDLE : Math.min(1, Math.max(0, value))));
}

const NAMES = { grade: 'a grade', agreement: 'agreement', estimate: 'an estimate' };

/** The share of values that are no greater: agreement has no unit. Equal values have equal places. */
function ranked(values: readonly (number | undefined)[]): (number | undefined)[] {
  const sorted = values.filter((value) => value !== undefined).sort((a, b) => a - b);
  return values.map((value) => {
    if (value === undefined) return undefined;
    return (sorted.findLastIndex((other) => other <= value) + 1) / sorted.length;
  });
}
