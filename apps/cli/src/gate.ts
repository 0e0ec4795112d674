import type { Comparison } from './comparison.ts';
import type { ReferenceComparison } from './reference-match.ts';
import { count, percent, signed } from './text.ts';

/** What a comparison must hold; without any of these there is no gate. */
export interface GateFlags {
  readonly maxLoss?: number;
  readonly maxMissing?: number;
  readonly minPassRate?: number;
  readonly minMatch?: number;
}

/** Whether a comparison passed its gate, and if not, why. */
export interface GateResult {
  readonly passed: boolean;
  /** One line each. */
  readonly failures: readonly string[];
}

/** @returns undefined when nothing was asked for. */
export function judgeGate(
  { meanDifference, missing, sets }: Comparison,
  { maxLoss, maxMissing, minPassRate, minMatch }: GateFlags,
  reference?: ReferenceComparison,
): GateResult | undefined {
  const asked = [maxLoss, maxMissing, minPassRate, minMatch];
  if (asked.every((flag) => flag === undefined)) return undefined;
  const failures: string[] = [];
  if (maxLoss !== undefined && meanDifference === null) {
    failures.push('no task has scores in both sets');
  } else if (maxLoss !== undefined && (meanDifference ?? 0) < -maxLoss) {
    failures.push(`mean ${signed(meanDifference ?? 0, 3)}, expected a loss of at most ${maxLoss}`);
  }
  if (missing.length > (maxMissing ?? 0)) {
    const crashed = missing.filter(({ reason }) => reason === 'crashed').length;
    const why = crashed === 0 ? '' : `, ${crashed} of them because every run crashed`;
    failures.push(
      `${count(missing.length, 'task')} of the base without a new score${why}, expected at most ${maxMissing ?? 0}`,
    );
  }
  const { passRate } = sets.new;
  if (minPassRate !== undefined && !((passRate ?? -1) >= minPassRate)) {
    const received = passRate === null ? 'no run with a verdict' : `${percent(passRate)} passed`;
    failures.push(`${received}, expected at least ${percent(minPassRate)}`);
  }
  if (minMatch !== undefined) {
    const { matching = 0, runs = [] } = reference ?? {};
    if (runs.length === 0) failures.push('no run with a reference');
    else if (matching / runs.length < minMatch) {
      const received = `${matching} of ${count(runs.length, 'run')} match the reference`;
      failures.push(`${received}, expected at least ${percent(minMatch)}`);
    }
  }
  return { passed: failures.length === 0, failures };
}
