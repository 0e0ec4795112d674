import {
  type AuditedRun,
  auditScores,
  findDuplicates,
  type SimilarityGraph,
  selectSubset,
} from '@kp/curation';
import { seededIntegers } from '@kp/foundation';
import { createReportData, type ReportDataOptions, type ScoredRun } from './create-report-data.ts';
import { layOutRuns } from './map-layout.ts';
import type { RunVector } from './principal-plane.ts';
import type { ReportData, ReportNote, ReportPicks } from './report-data.ts';
import { redact } from './text-gate.ts';

/** Scored runs, and how alike they are: all three in one order. */
export interface ScoredCorpus {
  /** The runs with their scores. */
  readonly runs: readonly ScoredRun[];
  /** How alike the runs are. */
  readonly graph: SimilarityGraph;
  /** What the graph was made of, one a run. */
  readonly vectors: readonly RunVector[];
}

/** What the page of a corpus is to show. */
export interface ReportContent extends Omit<ReportDataOptions, 'picks' | 'map'> {
  /** How many runs to name for reading; 10. */
  readonly pickCount?: number;
  /** Runs more alike than this are joined on the map as repeats, in [-1, 1]; 0.95. */
  readonly duplicateThreshold?: number;
}

const DEFAULT_PICKS = 10;
/** Under it runs of similar tasks are joined, too. */
const DEFAULT_DUPLICATE_THRESHOLD = 0.95;
const FEWEST_ON_A_MAP = 3;

/**
 * Everything that the page of a corpus shows: beside the runs what the audit has to say of their
 * scores, which to read, and the map.
 *
 * @param corpus - scored runs, and how alike they are.
 * @param content - what the page is to show beside them.
 */
export async function composeReport(
  { runs, graph, vectors }: ScoredCorpus,
  content: ReportContent = {},
): Promise<ReportData> {
  const { pickCount = DEFAULT_PICKS, duplicateThreshold = DEFAULT_DUPLICATE_THRESHOLD } = content;
  const texts = content.includeText === true ? objectivesOf(runs, content.redact ?? []) : undefined;
  return createReportData(runs, {
    ...content,
    notes: [...auditNotes(runs, content.threshold, graph), ...(content.notes ?? [])],
    picks: runs.length === 0 ? undefined : picksOf(runs, graph, pickCount),
    map:
      runs.length < FEWEST_ON_A_MAP
        ? undefined
        : await layOutRuns(vectors, {
            duplicates: findDuplicates(graph, { threshold: duplicateThreshold }),
            graph,
            texts,
          }),
  });
}

/**
 * The page of scores that were kept without their runs: no steps, no map and nothing picked.
 *
 * @param runs - without traces.
 * @param content - what the page is to show beside them.
 */
export function composeReportOfScores(
  runs: readonly ScoredRun[],
  content: Omit<ReportContent, 'pickCount' | 'duplicateThreshold'> = {},
): ReportData {
  const notes = [...auditNotes(runs, content.threshold, undefined), ...(content.notes ?? [])];
  return createReportData(runs, { ...content, notes });
}

/** What the audit of the scores found, the gravest first. */
function auditNotes(
  runs: readonly ScoredRun[],
  threshold: number | undefined,
  graph: SimilarityGraph | undefined,
): ReportNote[] {
  if (runs.length === 0) return [];
  const reports = runs.map(({ report }) => report);
  const audited = runs.map(
    ({ success, successSource, confidenceSource, task, objective, trace }): AuditedRun => ({
      success: successSource === 'assumed' ? undefined : success,
      task: task ?? objective ?? trace?.task.objective ?? '',
      successFrom: successSource ?? 'unknown',
      confidenceFrom: confidenceSource ?? 'unknown',
    }),
  );
  const { findings } = auditScores(reports, audited, { threshold, graph });
  return findings
    .toSorted((a, b) => Number(b.isWarning) - Number(a.isWarning))
    .map(({ about, isWarning, text }) => ({ level: isWarning ? 'warning' : 'note', about, text }));
}

function objectivesOf(runs: readonly ScoredRun[], patterns: readonly RegExp[]): string[] {
  return runs.map(({ objective, trace }) =>
    redact(objective ?? trace?.task.objective ?? '', patterns),
  );
}

/** A representative subset, and the coverage of as many random runs and of the highest scores. */
function picksOf(runs: readonly ScoredRun[], graph: SimilarityGraph, k: number): ReportPicks {
  const { ranking, representedBy, baseline, knee } = selectSubset(graph, { k });
  const count = ranking.length;
  const scoreOf = (run: number): number => runs[run]?.report.score ?? 0;
  const best = [...runs.keys()].sort((a, b) => scoreOf(b) - scoreOf(a) || a - b);
  const coverage = (chosen: readonly number[]): number[] => coverageOf(graph, baseline, chosen);
  return {
    runs: ranking,
    coverage: coverage(ranking),
    represents: ranking.map((run) => representedBy.filter((by) => by === run).length),
    random: randomCoverage(graph.size, count, coverage),
    byScore: coverage(best.slice(0, count)),
    knee,
  };
}

/** What part of all runs the first of `runs`, the first two and so on stand for. */
function coverageOf(graph: SimilarityGraph, baseline: number, runs: readonly number[]): number[] {
  const best = new Float64Array(graph.size);
  return runs.map((run) => {
    best.forEach((covered, other) => {
      const similarity = graph.similarity(other, run);
      const weight = other === run ? 1 : Math.max(0, (similarity - baseline) / (1 - baseline));
      best[other] = Math.max(covered, weight);
    });
    return best.reduce((sum, covered) => sum + covered, 0) / best.length;
  });
}

const DRAWS = 5;
const SEED = 0x9e9027;

/** The mean over a few seeded draws. */
function randomCoverage(
  size: number,
  count: number,
  coverage: (runs: readonly number[]) => readonly number[],
): number[] {
  const next = seededIntegers(SEED);
  const sums = new Array<number>(count).fill(0);
  for (let draw = 0; draw < DRAWS; draw++) {
    const drawn = new Set<number>();
    while (drawn.size < count) drawn.add(next(size));
    for (const [pick, value] of coverage([...drawn]).entries()) {
      sums[pick] = (sums[pick] ?? 0) + value / DRAWS;
    }
  }
  return sums;
}
