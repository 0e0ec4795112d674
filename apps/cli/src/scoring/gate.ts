import type { Comparison, SetFacts, TaskScores } from '@kp/curation';
import type { Check } from '../output/reporters.ts';
import { count, fit, grouped, oneLine, percent, signed } from '../output/text.ts';
import type { ReferenceComparison } from './reference-match.ts';

/** Limits for a comparison; without any of them there is no gate. */
export interface GateFlags {
  readonly maxLoss?: number;
  readonly maxMissing?: number;
  readonly minPassRate?: number;
  readonly minMatch?: number;
}

/** Whether a comparison passed its gate, with the reasons if not. */
export interface GateResult {
  readonly passed: boolean;
  /** One line each. */
  readonly failures: readonly string[];
}

export function isGate({ maxLoss, maxMissing, minPassRate, minMatch }: GateFlags): boolean {
  return [maxLoss, maxMissing, minPassRate, minMatch].some((flag) => flag !== undefined);
}

/** @returns undefined without limits. */
export function judgeGate(
  comparison: Comparison,
  flags: GateFlags,
  reference?: ReferenceComparison,
): GateResult | undefined {
  if (!isGate(flags)) return undefined;
  const failures = limitsOf(comparison, flags, reference).flatMap(({ failure }) => failure ?? []);
  return { passed: failures.length === 0, failures };
}

/** Checks the limits and every task: tasks without a new score fail if more are missing than allowed. */
export function gateChecks(
  comparison: Comparison,
  flags: GateFlags,
  reference?: ReferenceComparison,
): readonly Check[] {
  const { tasks, missing } = comparison;
  const isForgiven = missing.length <= (flags.maxMissing ?? 0);
  return [
    ...limitsOf(comparison, flags, reference),
    ...tasks.map(({ task, objective, difference, result, new: next }) => {
      const hasFailed = next.crashed === next.runs && !isForgiven;
      return {
        name: nameOf(task, objective),
        group: 'task',
        detail: `${result}, ${signed(difference, 3)}`,
        failure: hasFailed ? 'every new run crashed' : undefined,
      };
    }),
    // The others are among the tasks.
    ...missing
      .filter(({ reason }) => reason === 'absent')
      .map(({ task, objective }) => ({
        name: nameOf(task, objective),
        group: 'task',
        failure: isForgiven ? undefined : 'no new run',
      })),
  ];
}

const LONGEST_NAME = 120;

function nameOf(task: string | null, objective: string): string {
  return fit(oneLine(task ?? objective), LONGEST_NAME);
}

function limitsOf(
  { tasks, meanDifference, missing, sets }: Comparison,
  { maxLoss, maxMissing = 0, minPassRate, minMatch }: GateFlags,
  reference: ReferenceComparison | undefined,
): Check[] {
  const checks: Check[] = [];
  if (maxLoss !== undefined) {
    const change = meanDifference === null ? undefined : signed(meanDifference, 3);
    const failure =
      change === undefined
        ? 'no task has runs in both sets'
        : `mean ${change}, expected a loss of at most ${maxLoss}`;
    const isWithin = meanDifference !== null && meanDifference >= -maxLoss;
    checks.push({ name: 'mean score', group: 'gate', failure: isWithin ? undefined : failure });
  }
  const crashed = missing.filter(({ reason }) => reason === 'crashed').length;
  const why = crashed === 0 ? '' : `, ${crashed} of them because every run crashed`;
  const lost = `${count(missing.length, 'task')} of the base without a new score${why}, expected at most ${maxMissing}`;
  const isMissing = missing.length > maxMissing;
  checks.push({ name: 'missing tasks', group: 'gate', failure: isMissing ? lost : undefined });
  if (minPassRate !== undefined) {
    const failure = `${succeededOf(sets.new)}, expected at least ${percent(minPassRate)}`;
    const isReached = reaches(sets.new, minPassRate);
    checks.push({ name: 'pass rate', group: 'gate', failure: isReached ? undefined : failure });
  }
  if (maxLoss !== undefined) {
    const withFewer = tasks.filter(({ base, new: next }) => judgedShare(next) < judgedShare(base));
    const failure =
      `${count(withFewer.length, 'task')} with fewer verdicts on the new runs than on those of the base; ` +
      'runs without a verdict are counted as succeeded (--assume-failure counts them as failed)';
    const isLost = withFewer.length > 0;
    checks.push({ name: 'verdicts', group: 'gate', failure: isLost ? failure : undefined });
  }
  if (minMatch !== undefined) {
    const { matching = 0, runs = [], crashedTasks = 0 } = reference ?? {};
    const received = `${matching} of ${count(runs.length, 'run')} match the reference`;
    const failure =
      runs.length === 0
        ? 'no run with a reference'
        : `${received}, expected at least ${percent(minMatch)}`;
    const isReached = runs.length > 0 && matching / runs.length >= minMatch;
    checks.push({ name: 'reference', group: 'gate', failure: isReached ? undefined : failure });
    const lostReferences = `${count(crashedTasks, 'task')} of the base without a reference, because every run crashed`;
    checks.push({
      name: 'reference runs',
      group: 'gate',
      failure: crashedTasks > 0 ? lostReferences : undefined,
    });
  }
  return checks;
}

/** Whether enough runs succeeded, even if all runs without a verdict failed. */
function reaches({ runs, verdicts, passRate }: SetFacts, share: number): boolean {
  return passRate !== null && Math.round(passRate * verdicts) / runs >= share;
}

function succeededOf({ runs, verdicts, passRate }: SetFacts): string {
  if (passRate === null) return 'no run with a verdict';
  const succeeded = `${percent(passRate)} succeeded`;
  if (verdicts === runs) return succeeded;
  const unknown = `${grouped(runs - verdicts)} of ${count(runs, 'new run')} without a verdict`;
  return `${succeeded} of those with a verdict, with ${unknown}`;
}

/** The share of the runs whose outcome is known; the score of the others is that of a success. */
function judgedShare({ runs, verdicts }: TaskScores): number {
  return verdicts / runs;
}
