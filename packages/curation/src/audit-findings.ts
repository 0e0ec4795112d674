import { labelOf, type ScoreReport } from '@kp/scoring';
import type { AuditFinding, ScoreAudit, ValueAudit } from './audit.ts';

/** An audit before anything is made of it. */
type AuditFacts = Omit<ScoreAudit, 'findings'>;

/** The score less what the outcome puts into it, which would make any area look good. */
export const WITHOUT_OUTCOME = 'score without outcome';
/** From here on most runs have one value, and the dimension tells them nothing apart. */
const MOSTLY_ONE_VALUE = 0.8;
const LENGTH_CAP = 0.2;

/** What a person can do about what an audit found. */
export function findingsOf(audit: AuditFacts, reports: readonly ScoreReport[]): AuditFinding[] {
  return [
    ...successFindings(audit),
    ...audit.values.flatMap((value) => spreadFinding(value, audit.runs, reports)),
    ...sourceFindings(audit),
    ...stabilityFindings(audit),
  ];
}

function warning(about: AuditFinding['about'], text: string): AuditFinding {
  return { about, isWarning: true, text };
}

function successFindings({ values, outcomes }: AuditFacts): AuditFinding[] {
  const { succeeded, failed } = outcomes;
  if (succeeded === 0 || failed === 0) {
    const known = succeeded + failed;
    const what =
      known === 0
        ? 'no outcome is known'
        : known === 1
          ? 'one outcome is known'
          : `all ${known} known outcomes are the same`;
    const text = `${what}: whether the score goes with success cannot be said; --labels gives verdicts`;
    return [warning('success', text)];
  }
  const without = values.find(({ name }) => name === WITHOUT_OUTCOME)?.area;
  if (without === undefined) return [];
  const { value, low, high } = without;
  const range = `area ${value.toFixed(2)}, 95 % ${low.toFixed(2)} to ${high.toFixed(2)}`;
  const basis = `${succeeded} succeeded, ${failed} failed`;
  if (low > 0.5) {
    const text = `without its outcome term the score is higher for runs that succeeded (${range}; ${basis})`;
    return [{ about: 'success', isWarning: false, text }];
  }
  if (high < 0.5) {
    return [
      warning(
        'success',
        `without its outcome term the score is higher for runs that failed (${range}; ${basis}): ` +
          'choose among verified successes, as kp select does, not by score',
      ),
    ];
  }
  return [
    warning(
      'success',
      `without its outcome term the score tells nothing of success (${range}; ${basis}): ` +
        'read it as how rich and new a run is',
    ),
  ];
}

function spreadFinding(
  value: ValueAudit,
  runs: number,
  reports: readonly ScoreReport[],
): AuditFinding[] {
  const { name, mostFrequent } = value;
  if (runs < 2 || mostFrequent.runs < MOSTLY_ONE_VALUE * runs) return [];
  const says =
    mostFrequent.runs === runs ? 'it tells them nothing apart' : 'it tells hardly any apart';
  const what = `${labelOf(name, 'shortLabel')} is ${decimal(mostFrequent.value)} in ${mostFrequent.runs} of ${runs} runs: ${says}`;
  if (name !== 'complexity' || mostFrequent.value !== 1) return [warning('spread', what)];
  const capped = reports.map(({ complexity }) =>
    Math.min(
      1,
      complexity.stepTypes + complexity.errorRecovery + Math.min(LENGTH_CAP, complexity.length),
    ),
  );
  const [low, high] = [Math.min(...capped), Math.max(...capped)];
  if (low === high) return [warning('spread', what)];
  const wayOut = `--length-cap ${LENGTH_CAP} would spread it over ${decimal(low)} to ${decimal(high)}`;
  return [warning('spread', `${what}; ${wayOut}`)];
}

function sourceFindings(audit: AuditFacts): AuditFinding[] {
  const { runs, successFrom, confidenceFrom } = audit;
  const unknown = (successFrom.assumed ?? 0) + (successFrom.unknown ?? 0);
  const findings: AuditFinding[] = [];
  if (unknown > 0) {
    findings.push(
      warning(
        'source',
        `no verdict, counted by assumption: ${unknown} of ${runs} runs; ` +
          '--labels or --success give one, --assume-failure counts them as failed',
      ),
    );
  }
  const assumed = confidenceFrom.assumed ?? 0;
  if (assumed > 0) {
    findings.push(
      warning(
        'source',
        `no recorded confidence, so that the outcome says no more than success: ${assumed} of ${runs} runs`,
      ),
    );
  }
  return findings;
}

function stabilityFindings({ stability, top, threshold, runs }: AuditFacts): AuditFinding[] {
  const findings: AuditFinding[] = [];
  const [order] = stability.filter(({ change }) => change.startsWith('another order'));
  if (order !== undefined) {
    const others = Math.round((1 - order.topKept) * top);
    const text =
      `scored in another order, ${others} of the top ${top} would be others and ${percent(order.flipped)} ` +
      `of the runs would cross ${decimal(threshold)} (τ ${order.tau.toFixed(2)}): --corpus scores whatever the order`;
    findings.push({ about: 'order', isWarning: others > 0, text });
  }
  const weights = stability.filter(({ change }) => change.startsWith('weight'));
  const worst = weights.reduce<(typeof weights)[number] | undefined>(
    (least, one) => (least === undefined || one.tau < least.tau ? one : least),
    undefined,
  );
  if (worst === undefined || runs < 2) return findings;
  const others = Math.round((1 - worst.topKept) * top);
  const change = worst.change.replace(/\w+(?= [−+])/, (name) => labelOf(name, 'shortLabel'));
  const matters = worst.tau <= 0.9;
  const text =
    `the weights matter ${matters ? 'much' : 'little'}: with the ${change}, the change that ` +
    `matters most, ${others} of the top ${top} would be others and ${percent(worst.flipped)} of the ` +
    `runs would cross ${decimal(threshold)} (τ ${worst.tau.toFixed(2)})`;
  findings.push({ about: 'weights', isWarning: matters, text });
  return findings;
}

function decimal(value: number): string {
  return String(Number(value.toFixed(3)));
}

function percent(share: number): string {
  return `${(share * 100).toFixed(share < 0.0995 ? 1 : 0)} %`;
}
