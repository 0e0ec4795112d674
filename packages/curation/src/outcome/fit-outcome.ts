import { createPause, seededIntegers } from '@kp/foundation';
import type { ReasoningTrace } from '@kp/schema';
import { CurationInputError, checkList, checkOptions } from '../corpus/errors.ts';
import { compareKeys } from '../corpus/key-order.ts';
import { areaUnderCurve, areaWithInterval } from '../statistics/rank-statistics.ts';
import { type OutcomeFeatures, outcomeFeatures } from './outcome-features.ts';
import {
  coefficientsOf,
  fitModel,
  type OutcomeCoefficient,
  type OutcomeModel,
  type OutcomeRow,
  probabilityOf,
} from './outcome-model.ts';
import { type PredictionQuality, qualityOf } from './outcome-quality.ts';

/** A run with a known outcome. */
export interface LabelledRun {
  /** The run. */
  readonly trace: ReasoningTrace;
  /** Whether it succeeded, from a label or a recorded outcome. */
  readonly success: boolean;
  /** Task of the run. All runs of a task are in the same part of a split. */
  readonly task: string;
  /** Its value from `agreement`, if it has one. */
  readonly agreement?: number;
}

/** The features of a run with a known outcome, in place of the run itself. */
export interface LabelledFeatures extends Omit<LabelledRun, 'trace'> {
  /** Id of the run. */
  readonly id: string;
  /** From `outcomeFeatures`. */
  readonly features: OutcomeFeatures;
}

/** Result of a fit on held-out tasks, with the model if it is accurate enough. */
export interface OutcomeFit extends PredictionQuality {
  /** Whether the model predicts the outcomes of held-out tasks well enough to be used. */
  readonly accepted: boolean;
  /** Reason of a rejection. */
  readonly reason?: string;
  /** Number of labelled runs. */
  readonly runs: number;
  /** Number of different tasks. */
  readonly tasks: number;
  /** Area under the ROC curve (AUC) on held-out tasks; its interval comes from resampling tasks. */
  readonly auc: number;
  /** Lower end of the 95 % interval of `auc`. */
  readonly aucLow: number;
  /** Upper end of the 95 % interval of `auc`. */
  readonly aucHigh: number;
  /** Coefficients, strongest first. */
  readonly coefficients: readonly OutcomeCoefficient[];
  /** AUC of models fitted to fewer tasks and to all, which shows whether more labels help. */
  readonly learningCurve: readonly { readonly tasks: number; readonly auc: number }[];
  /** Present if accepted. */
  readonly model?: OutcomeModel;
}

/** The lower end of the AUC interval must exceed this. */
const LEAST_AREA = 0.55;
const LEAST_TASKS = 10;
/** Minimum number of runs with each outcome. */
const LEAST_OF_OUTCOME = 5;
const MOST_FOLDS = 10;
const SHARES_OF_CURVE = [1 / 4, 1 / 2];
const SEED = 0x0c0e;

/**
 * Fits a success model for one corpus to runs with known outcomes: ridge-penalised logistic
 * regression on readable features, cross-validated over tasks. The model is rejected unless, on
 * held-out tasks, the lower end of its AUC interval exceeds 0.55 and its Brier score beats that of
 * the base rate. It does not transfer to other corpora.
 *
 * @param runs - their order does not matter.
 * @param options - `signal` stops the fit.
 * @throws (rejects) {@link CurationInputError} if an outcome, task or agreement is invalid, and the
 * signal's reason.
 */
export async function fitOutcome(
  runs: readonly (LabelledRun | LabelledFeatures)[],
  options: { readonly signal?: AbortSignal } = {},
): Promise<OutcomeFit> {
  checkOptions(options, { signal: true });
  checkList('runs', runs);
  const { signal } = options;
  signal?.throwIfAborted();
  const pause = createPause(signal);
  const rows: Row[] = [];
  for (const [at, run] of runs.entries()) {
    rows.push(readRow(run, at));
    await pause();
  }
  rows.sort((a, b) => compareKeys(a.task, b.task) || compareKeys(a.content, b.content));
  const outcomes = rows.map(({ success }) => success);
  const tasks = tasksBySuccess(rows);
  const lack = lackOf(tasks.length, outcomes);
  if (lack !== undefined) return refusedFit(rows.length, tasks.length, lack);
  const predict = (share: number): Promise<number[]> => predictHeldOut(rows, tasks, share, pause);
  const predicted = await predict(1);
  const area = areaWithInterval(
    predicted,
    outcomes,
    rows.map(({ task }) => task),
  );
  const learningCurve: { tasks: number; auc: number }[] = [];
  for (const share of SHARES_OF_CURVE) {
    const auc = areaUnderCurve(await predict(share), outcomes);
    learningCurve.push({ tasks: Math.round(share * tasks.length), auc });
  }
  learningCurve.push({ tasks: tasks.length, auc: area.value });
  const quality = qualityOf(predicted, outcomes);
  const reason = refusalOf(area.low, quality);
  const model = fitModel(rows);
  return {
    accepted: reason === undefined,
    reason,
    runs: rows.length,
    tasks: tasks.length,
    auc: area.value,
    aucLow: area.low,
    aucHigh: area.high,
    ...quality,
    coefficients: coefficientsOf(model),
    learningCurve,
    model: reason === undefined ? model : undefined,
  };
}

interface Row extends OutcomeRow {
  readonly task: string;
  /** Sort key for an order independent of the input. */
  readonly content: string;
}

function readRow(run: LabelledRun | LabelledFeatures, at: number): Row {
  const { success, task, agreement } = Object(run) as LabelledRun;
  const check = (name: string, expected: string, value: unknown, isValid: boolean): void => {
    if (!isValid) throw new CurationInputError(`runs[${at}].${name}`, expected, value);
  };
  check('success', 'true or false', success, typeof success === 'boolean');
  check('task', 'the name of its task', task, typeof task === 'string');
  const isNumber = agreement === undefined || Number.isFinite(agreement);
  check('agreement', 'a finite number', agreement, isNumber);
  const features =
    'features' in run
      ? { ...run.features, agreement: agreement ?? 0 }
      : outcomeFeatures(run.trace, agreement);
  const areNumbers = Object.values(features).every(Number.isFinite);
  check('features', 'what outcomeFeatures returns', features, areNumbers);
  const id = 'features' in run ? run.id : run.trace.id;
  return { features, success, task, content: JSON.stringify([id, features, success]) };
}

/** Groups runs by task, in ascending order of the tasks' success rates. */
function tasksBySuccess(rows: readonly Row[]): Row[][] {
  const tasks = Map.groupBy(rows, ({ task }) => task);
  const rate = (task: readonly Row[]): number =>
    task.filter(({ success }) => success).length / task.length;
  return [...tasks.values()].sort((a, b) => rate(a) - rate(b));
}

/**
 * Predicts the probability of each run with a model fitted to other tasks. Tasks are assigned to
 * parts in the order of their success rates, so every part has both outcomes.
 *
 * @param share - share of the other tasks that models are fitted to; drawn at random with a seed.
 */
async function predictHeldOut(
  rows: readonly Row[],
  tasks: readonly (readonly Row[])[],
  share: number,
  pause: () => Promise<void>,
): Promise<number[]> {
  const folds = Math.min(MOST_FOLDS, tasks.length);
  const next = seededIntegers(SEED);
  const predictions = new Map<Row, number>();
  for (let fold = 0; fold < folds; fold++) {
    const others = tasks.filter((_, task) => task % folds !== fold);
    const kept = Math.max(1, Math.round(share * others.length));
    while (others.length > kept) others.splice(next(others.length), 1);
    const model = fitModel(others.flat());
    for (const row of tasks.filter((_, task) => task % folds === fold).flat()) {
      predictions.set(row, probabilityOf(model, row.features));
    }
    await pause();
  }
  return rows.map((row) => predictions.get(row) ?? Number.NaN);
}

/** Describes why there are too few labels to fit and evaluate a model. */
function lackOf(tasks: number, outcomes: readonly boolean[]): string | undefined {
  const successes = outcomes.filter(Boolean).length;
  const failures = outcomes.length - successes;
  if (tasks < LEAST_TASKS)
    return `expected labels of at least ${LEAST_TASKS} tasks, received ${tasks}`;
  if (Math.min(successes, failures) >= LEAST_OF_OUTCOME) return undefined;
  return (
    `expected at least ${LEAST_OF_OUTCOME} successes and ${LEAST_OF_OUTCOME} failures, ` +
    `received ${successes} and ${failures}`
  );
}

/** Describes why a model is not accurate enough. */
function refusalOf(aucLow: number, { brier, brierBase }: PredictionQuality): string | undefined {
  if (!(aucLow > LEAST_AREA)) {
    return (
      `on held-out tasks the lower end of the interval of its AUC is ${aucLow.toFixed(2)}, and must ` +
      `exceed ${LEAST_AREA}: more labels may help`
    );
  }
  if (brier < brierBase) return undefined;
  return (
    `on held-out tasks its Brier score is ${brier.toFixed(3)}, no better than ` +
    `${brierBase.toFixed(3)} of the base rate`
  );
}

function refusedFit(runs: number, tasks: number, reason: string): OutcomeFit {
  const unknown = Number.NaN;
  const areas = { auc: unknown, aucLow: unknown, aucHigh: unknown };
  const quality = {
    brier: unknown,
    brierBase: unknown,
    calibrationError: unknown,
    calibration: [],
  };
  return {
    accepted: false,
    reason,
    runs,
    tasks,
    ...areas,
    ...quality,
    coefficients: [],
    learningCurve: [],
  };
}
