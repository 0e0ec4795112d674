import type { Formula, ScoreReport } from '@kp/scoring';
import type { SimilarityGraph } from '@kp/vector-cache';
import { findingsOf, WITHOUT_OUTCOME } from './audit-findings.ts';
import { checkLength } from './errors.ts';
import { areaWithInterval, type Interval } from './rank-statistics.ts';

import { type Stability, stabilityOf } from './stability.ts';

/** What is known of a run besides its report. */
export interface AuditedRun {
  /** Whether it verifiably succeeded; undefined when nobody knows. */
  readonly success: boolean | undefined;
  /** What the run was an attempt at: runs of one task are resampled together. */
  readonly task: string;
  /** Where success and confidence come from: `recorded`, `assumed` …; counted as they are. */
  readonly successFrom: string;
  /** As `successFrom`, of the confidence. */
  readonly confidenceFrom: string;
}

/** What {@link auditScores} compares and where it draws its line. */
export interface AuditOptions {
  /** From here on a run is kept, in [0, 1]; 0.5. */
  readonly threshold?: number;
  /** How many of the best are compared; 10. */
  readonly top?: number;
  /** The graph of the runs, to see what another order would change; left out, that is not said. */
  readonly graph?: SimilarityGraph;
  /** The formula of the reports; needed if a rule of yours with `change` applied to a run. */
  readonly formula?: Formula;
}

/** How one value, a dimension or the score, is spread over the runs. */
export interface ValueAudit {
  /** A dimension, `score`, or `score without outcome`. */
  readonly name: string;
  /** The smallest value, in [0, 1]. */
  readonly minimum: number;
  /** The median, in [0, 1]. */
  readonly median: number;
  /** The mean, in [0, 1]. */
  readonly mean: number;
  /** The greatest value, in [0, 1]. */
  readonly maximum: number;
  /** How many runs have the most frequent value, and which it is. */
  readonly mostFrequent: { readonly value: number; readonly runs: number };
  /** How many runs have 1, the greatest there is. */
  readonly saturated: number;
  /** The area under the ROC curve against verified outcomes; absent without both outcomes. */
  readonly area?: Interval;
}

/** What an audit found: figures, and what to make of them. */
export interface ScoreAudit {
  /** How many runs were audited. */
  readonly runs: number;
  /** How many tasks they are of. */
  readonly tasks: number;
  /** From here on a run was taken to be kept. */
  readonly threshold: number;
  /** How many of the best were compared. */
  readonly top: number;
  /** The dimensions, `score`, and `score without outcome`. */
  readonly values: readonly ValueAudit[];
  /** How many runs have their success from where. */
  readonly successFrom: Readonly<Record<string, number>>;
  /** How many runs have their confidence from where. */
  readonly confidenceFrom: Readonly<Record<string, number>>;
  /** Runs that verifiably succeeded and failed. */
  readonly outcomes: { readonly succeeded: number; readonly failed: number };
  /** What changes of order and of weights do to the ranking. */
  readonly stability: readonly Stability[];
  /** What to make of it, the gravest first. */
  readonly findings: readonly AuditFinding[];
}

/** A sentence on what an audit found. */
export interface AuditFinding {
  /**
   * Whether the score goes with success, how a value is spread, where success and confidence come
   * from, and what another order of the runs or other weights would change.
   */
  readonly about: 'success' | 'spread' | 'source' | 'order' | 'weights';
  /** Whether the scores need to be read with care because of it. */
  readonly isWarning: boolean;
  /** A sentence for people. */
  readonly text: string;
}

/**
 * What the score is worth on this corpus: whether it tells runs apart, whether it goes with verified
 * success, and how much of the ranking stays when the order of the runs or a weight changes.
 *
 * Intervals are the middle 95 % of 1,000 resamplings of whole tasks.
 *
 * @param reports - one a run, of one formula.
 * @param runs - what is known of each, in the order of the reports.
 * @throws `CurationInputError` when there is not one entry a run; `FormulaError` when a rule with
 * `change` applied and `formula` is not the one of the reports.
 */
export function auditScores(
  reports: readonly ScoreReport[],
  runs: readonly AuditedRun[],
  options: AuditOptions = {},
): ScoreAudit {
  checkLength('runs', runs.length, reports.length);
  const { threshold = 0.5, top = 10, graph, formula } = options;
  if (graph !== undefined) checkLength('graph', graph.size, reports.length);
  const outcomes = runs.map(({ success }) => success);
  const names = Object.keys(reports[0]?.dimensions ?? {});
  const columns: (readonly [string, number[]])[] = [
    ...names.map((name) => [name, reports.map((report) => report.dimensions[name] ?? 0)] as const),
    ['score', reports.map(({ score }) => score)],
    [WITHOUT_OUTCOME, reports.map((report) => scoreWithoutOutcome(report))],
  ];
  const facts = {
    runs: reports.length,
    tasks: new Set(runs.map(({ task }) => task)).size,
    threshold,
    top: Math.min(top, reports.length),
    values: columns.map(([name, values]) => auditValue(name, values, outcomes, runs)),
    successFrom: countBy(runs.map(({ successFrom }) => successFrom)),
    confidenceFrom: countBy(runs.map(({ confidenceFrom }) => confidenceFrom)),
    outcomes: {
      succeeded: outcomes.filter((success) => success === true).length,
      failed: outcomes.filter((success) => success === false).length,
    },
    stability:
      reports.length < 2 ? [] : stabilityOf(reports, names, { threshold, top, graph, formula }),
  };
  return { ...facts, findings: findingsOf(facts, reports) };
}

function scoreWithoutOutcome(report: ScoreReport): number {
  const { outcomeConfidence } = report.weights;
  const rest = report.composite - report.contributions.outcomeConfidence;
  return outcomeConfidence >= 1 ? 0 : rest / (1 - outcomeConfidence);
}

function auditValue(
  name: string,
  values: readonly number[],
  outcomes: readonly (boolean | undefined)[],
  runs: readonly AuditedRun[],
): ValueAudit {
  const sorted = values.toSorted((a, b) => a - b);
  const counts = new Map<number, number>();
  for (const value of values) counts.set(value, (counts.get(value) ?? 0) + 1);
  const [value, most] = [...counts].reduce((a, b) => (b[1] > a[1] ? b : a), [Number.NaN, 0]);
  const spread: ValueAudit = {
    name,
    minimum: sorted[0] ?? Number.NaN,
    median: sorted[sorted.length >> 1] ?? Number.NaN,
    mean: values.reduce((sum, one) => sum + one, 0) / values.length,
    maximum: sorted.at(-1) ?? Number.NaN,
    mostFrequent: { value, runs: most },
    saturated: counts.get(1) ?? 0,
  };
  const known = values.map((_, run) => run).filter((run) => outcomes[run] !== undefined);
  const verdicts = known.map((run) => outcomes[run] === true);
  if (!verdicts.includes(true) || !verdicts.includes(false)) return spread;
  const area = areaWithInterval(
    known.map((run) => values[run]),
    verdicts,
    known.map((run) => runs[run]?.task as string),
  );
  return { ...spread, area };
}

function countBy(values: readonly string[]): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const value of values.toSorted()) counts[value] = (counts[value] ?? 0) + 1;
  return counts;
}
