import type { ScoreReport, ScoringWeights } from '@kp/scoring';
import { findingsOf, WITHOUT_OUTCOME } from './audit-findings.ts';
import { seededIntegers } from './baseline.ts';
import { checkLength } from './errors.ts';
import { areaWithInterval, type Interval, kendallTau, overlapOfTop } from './rank-statistics.ts';
import { rescore } from './rescore.ts';
import type { SimilarityGraph } from './similarity-graph.ts';

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
  readonly threshold?: number | undefined;
  /** How many of the best are compared; 10. */
  readonly top?: number | undefined;
  /** The graph of the runs, to see what another order would change; left out, that is not said. */
  readonly graph?: SimilarityGraph | undefined;
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

/** What a change does to the ranking, against the scores as they are. */
export interface Stability {
  /** What was changed, in words. */
  readonly change: string;
  /** Kendall's τ, and the share of the top that stays. Of several changes the mean. */
  readonly tau: number;
  /** The share of the top that stays, in [0, 1]. */
  readonly topKept: number;
  /** The share of runs that cross the threshold. */
  readonly flipped: number;
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

const SHUFFLES = 20;
const WEIGHT_CHANGE = 0.2;
const SEED = 0xa0d17;

/**
 * What the score is worth on this corpus: whether it tells runs apart, whether it goes with verified
 * success, and how much of the ranking stays when the order of the runs or a weight changes.
 *
 * Intervals are the middle 95 % of 1,000 resamplings of whole tasks.
 *
 * @param reports - one a run, of one formula.
 * @param runs - what is known of each, in the order of the reports.
 * @throws `CurationInputError` when there is not one entry a run.
 */
export function auditScores(
  reports: readonly ScoreReport[],
  runs: readonly AuditedRun[],
  options: AuditOptions = {},
): ScoreAudit {
  checkLength('runs', runs.length, reports.length);
  const { threshold = 0.5, top = 10, graph } = options;
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
    stability: reports.length < 2 ? [] : stabilityOf(reports, names, { threshold, top, graph }),
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
    known.map((run) => values[run] as number),
    verdicts,
    known.map((run) => runs[run]?.task as string),
  );
  return { ...spread, area };
}

function stabilityOf(
  reports: readonly ScoreReport[],
  names: readonly string[],
  { threshold, top, graph }: { threshold: number; top: number; graph: SimilarityGraph | undefined },
): Stability[] {
  const scores = reports.map(({ score }) => score);
  const compare = (change: string, others: readonly (readonly number[])[]): Stability => {
    const mean = (of: (other: readonly number[]) => number): number =>
      others.reduce((sum, other) => sum + of(other), 0) / others.length;
    return {
      change,
      tau: mean((other) => kendallTau(scores, other)),
      topKept: mean((other) => overlapOfTop(scores, other, top)),
      flipped: mean((other) => flips(scores, other, threshold) / scores.length),
    };
  };
  const weightChanges = names.flatMap((name) =>
    [1 - WEIGHT_CHANGE, 1 + WEIGHT_CHANGE].map((factor) => {
      const sign = factor < 1 ? '−20 %' : '+20 %';
      const changed = reports.map((report) =>
        rescore(report, { weights: scaled(report.weights, name, factor) }),
      );
      return compare(`weight of ${name} ${sign}`, [changed]);
    }),
  );
  if (graph === undefined) return weightChanges;
  const next = seededIntegers(SEED);
  const orders = Array.from({ length: SHUFFLES }, () => {
    const novelty = noveltyInOrder(graph, shuffledPlaces(graph.size, next));
    return reports.map((report, run) => rescore(report, { novelty: novelty[run] as number }));
  });
  return [compare('another order, novelty against earlier runs only', orders), ...weightChanges];
}

function flips(scores: readonly number[], others: readonly number[], threshold: number): number {
  return scores.filter((score, run) => score >= threshold !== (others[run] as number) >= threshold)
    .length;
}

function scaled(weights: ScoringWeights, name: string, factor: number): ScoringWeights {
  const changed = { ...weights, [name]: (weights[name] ?? 0) * factor };
  const sum = Object.values(changed).reduce((total, weight) => total + weight, 0);
  for (const key of Object.keys(changed)) changed[key] = (changed[key] as number) / sum;
  return changed;
}

/** The novelty that a streaming scorer gives each run when they come in an order of ranks. */
function noveltyInOrder(graph: SimilarityGraph, ranks: Uint32Array): Float64Array {
  const { size, neighbors, order, lists } = graph;
  const novelty = new Float64Array(size);
  for (let place = 0; place < size; place++) {
    const rank = ranks[place] as number;
    let found = rank === 0 ? 0.5 : Number.NaN;
    for (let at = place * neighbors; Number.isNaN(found); at++) {
      const isLast = at === (place + 1) * neighbors - 1;
      // Beyond the list the last one stands for all, as in the novelty of the corpus.
      if (isLast || (ranks[lists.places[at] as number] as number) < rank) {
        found = Math.min(1, Math.max(0, 1 - (lists.similarities[at] as number)));
      }
    }
    novelty[order[place] as number] = found;
  }
  return novelty;
}

function shuffledPlaces(size: number, next: (below: number) => number): Uint32Array {
  const ranks = Uint32Array.from({ length: size }, (_, place) => place);
  for (let at = size - 1; at > 0; at--) {
    const other = next(at + 1);
    [ranks[at], ranks[other]] = [ranks[other] as number, ranks[at] as number];
  }
  return ranks;
}

function countBy(values: readonly string[]): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const value of values.toSorted()) counts[value] = (counts[value] ?? 0) + 1;
  return counts;
}
