import {
  areaUnderCurve,
  chooseToLabel,
  createOutcomeEstimator,
  fitOutcome,
  type LabelledFeatures,
  type OutcomeFit,
  type OutcomeModel,
} from '@kp/curation';
import { mean } from 'simple-statistics';
import { seededOrder } from '../inputs/random.ts';
import type { OutcomeCorpus, OutcomeRun } from './outcome-corpus.ts';

/** AUC for success of signals that need no labels. */
export interface SignalAreas {
  readonly complexity: number;
  readonly fewerSteps: number;
  /** The score without its outcome term and with a novelty of 0.5. */
  readonly score: number;
}

export function signalAreas({ runs }: OutcomeCorpus): SignalAreas {
  const outcomes = runs.map(({ success }) => success);
  const area = (value: (run: OutcomeRun) => number): number =>
    areaUnderCurve(runs.map(value), outcomes);
  return {
    complexity: area(({ report }) => report.dimensions.complexity),
    fewerSteps: area(({ features }) => -features.steps),
    score: area(({ report }) => report.composite - (report.contributions.outcomeConfidence ?? 0)),
  };
}

/** Relation of agreement and outcomes within the tasks of a corpus. */
export interface AgreementRow {
  readonly runs: number;
  readonly baseRate: number;
  /** Mean over tasks with both outcomes, weighted by their pairs; NaN without such a task. */
  readonly area: number;
  /**
   * Share of successes among the runs with the most agreement, one per task, minus the base rate.
   */
  readonly gain: number;
}

/** Returns undefined if no run can be compared. */
export function agreementRow({ runs }: OutcomeCorpus): AgreementRow | undefined {
  const compared = runs.filter(({ agreement }) => agreement !== undefined);
  if (compared.length === 0) return undefined;
  const tasks = [...Map.groupBy(compared, ({ task }) => task).values()];
  let wins = 0;
  let pairs = 0;
  for (const task of tasks) {
    const passed = task.filter(({ success }) => success).length;
    const count = passed * (task.length - passed);
    if (count === 0) continue;
    const area = areaUnderCurve(
      task.map(({ agreement = 0 }) => agreement),
      task.map(({ success }) => success),
    );
    wins += area * count;
    pairs += count;
  }
  const best = tasks.map((task) =>
    task.reduce((a, b) => ((b.agreement ?? 0) > (a.agreement ?? 0) ? b : a)),
  );
  const rate = (of: readonly OutcomeRun[]): number =>
    mean(of.map(({ success }) => Number(success)));
  const baseRate = mean(tasks.map(rate));
  return { runs: compared.length, baseRate, area: wins / pairs, gain: rate(best) - baseRate };
}

function labelled(runs: readonly OutcomeRun[], withAgreement: boolean): LabelledFeatures[] {
  return runs.map(({ id, task, success, features, agreement }) => ({
    ...{ id, task, success, features },
    agreement: withAgreement ? agreement : undefined,
  }));
}

export function fitCorpus(corpus: OutcomeCorpus, withAgreement: boolean): Promise<OutcomeFit> {
  return fitOutcome(labelled(corpus.runs, withAgreement));
}

/** Counts accepted fits to permuted outcomes; whole tasks keep their pattern of outcomes. */
export async function acceptedPermuted(
  { runs }: OutcomeCorpus,
  permutations: number,
): Promise<number> {
  const own = labelled(runs, true);
  let accepted = 0;
  for (let seed = 0; seed < permutations; seed++) {
    const order = seededOrder(own.length, seed);
    const permuted = own.map((run, at) => ({
      ...run,
      success: own[order[at] as number]?.success ?? false,
    }));
    if ((await fitOutcome(permuted)).accepted) accepted++;
  }
  return accepted;
}

/** Returns the AUC on a corpus of a model fitted to another corpus, accepted or not. */
export async function transferArea(
  from: OutcomeCorpus,
  to: OutcomeCorpus,
): Promise<number | undefined> {
  const { model } = await fitOutcome(labelled(from.runs, false));
  return model && areaOf(model, to.runs);
}

function areaOf(model: OutcomeModel, runs: readonly OutcomeRun[]): number {
  const { estimate } = createOutcomeEstimator(model);
  return areaUnderCurve(
    runs.map(({ features }) => estimate(features)),
    runs.map(({ success }) => success),
  );
}

/** Returns the AUC of a fit, accepted or not; 0.5 without coefficients for lack of labels. */
function areaOfFit(
  { coefficients }: OutcomeFit,
  own: readonly OutcomeRun[],
  others: readonly OutcomeRun[],
): number {
  // The AUC depends only on differences, which the coefficients give in standard deviations of the
  // fitted runs.
  const scales = coefficients.map(({ feature, weight }) => {
    const values = own.map(({ features }) => features[feature]);
    const middle = mean(values);
    const deviation = Math.sqrt(mean(values.map((value) => (value - middle) ** 2)));
    return { feature, scale: weight / deviation };
  });
  return areaUnderCurve(
    others.map(({ features }) =>
      scales.reduce((sum, { feature, scale }) => sum + scale * features[feature], 0),
    ),
    others.map(({ success }) => success),
  );
}

/** AUC on other tasks after labelling some runs, chosen in two ways. */
export interface LabelRow {
  readonly labels: number;
  readonly chosen: number;
  readonly random: number;
}

/**
 * Labels half of the tasks and predicts the other half; returns the mean over seeded halves.
 * Rejected fits count too.
 */
export async function labelRow({ runs }: OutcomeCorpus, labels: number): Promise<LabelRow> {
  const HALVES = 10;
  const tasks = [...new Set(runs.map(({ task }) => task))];
  const chosen: number[] = [];
  const random: number[] = [];
  for (let seed = 0; seed < HALVES; seed++) {
    const kept = new Set(
      seededOrder(tasks.length, seed)
        .slice(0, Math.ceil(tasks.length / 2))
        .map((at) => tasks[at]),
    );
    const pool = runs.filter(({ task }) => kept.has(task));
    const rest = runs.filter(({ task }) => !kept.has(task));
    const areaWith = async (picks: readonly number[]): Promise<number> => {
      const own = picks.map((at) => pool[at] as OutcomeRun);
      return areaOfFit(await fitOutcome(labelled(own, false)), own, rest);
    };
    const unlabelled = pool.map((run) => ({ ...run, isLabelled: false }));
    chosen.push(await areaWith(chooseToLabel(unlabelled, labels)));
    random.push(await areaWith(seededOrder(pool.length, seed + 100).slice(0, labels)));
  }
  return { labels, chosen: mean(chosen.filter(isNumber)), random: mean(random.filter(isNumber)) };
}

function isNumber(value: number): boolean {
  return !Number.isNaN(value);
}

/** Returns the middle 95 % of 2,000 resamplings of the corpora. */
export function intervalOf(values: readonly number[]): readonly [low: number, high: number] {
  const known = values.filter(isNumber);
  const means = Array.from({ length: 2000 }, (_, seed) => {
    const picks = known.map((_value, at) => {
      const order = seededOrder(known.length, seed * 31 + at);
      return known[order[0] as number] as number;
    });
    return mean(picks);
  });
  return middleOf(means);
}

/** Returns the bounds of the middle 95 % of 2,000 samples. */
export function middleOf(samples: readonly number[]): readonly [low: number, high: number] {
  const sorted = samples.toSorted((a, b) => a - b);
  return [sorted[50] as number, sorted[1949] as number];
}
