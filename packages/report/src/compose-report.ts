import { findDuplicates, type SimilarityGraph, selectSubset } from '@kp/curation';
import { assertFields, assertType, seededIntegers } from '@kp/foundation';
import { auditNotes } from './audit-notes.ts';
import { createReportData, type ReportDataOptions, type ScoredRun } from './create-report-data.ts';
import { commonFailure } from './describe-runs.ts';
import { layOutRuns } from './map-layout.ts';
import type { RunVector } from './principal-plane.ts';
import type { ReportData, ReportPicks } from './report-data.ts';

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
// Of fewer runs a map says no more than the table.
const FEWEST_ON_A_MAP = 50;

/**
 * Everything that the page of a corpus shows: beside the runs what the audit has to say of their
 * scores, which to read, and the map.
 *
 * @param corpus - scored runs, and how alike they are.
 * @param content - what the page is to show beside them.
 */
export async function composeReport(
  corpus: ScoredCorpus,
  content: ReportContent = {},
): Promise<ReportData> {
  assertFields('corpus', corpus, { runs: 'an array' });
  const { runs, graph, vectors } = corpus;
  const { pickCount = DEFAULT_PICKS, duplicateThreshold = DEFAULT_DUPLICATE_THRESHOLD } = content;
  const data = createReportData(runs, {
    ...content,
    notes: [...auditNotes(runs, content, graph), ...(content.notes ?? [])],
    // Of one run there is nothing to choose.
    picks: runs.length < 2 ? undefined : picksOf(runs, graph, pickCount),
  });
  if (runs.length < FEWEST_ON_A_MAP) return withFailures(data);
  const map = await layOutRuns(vectors, {
    duplicates: findDuplicates(graph, { threshold: duplicateThreshold }),
    graph,
    names: data.runs.map(({ title }) => title),
  });
  return withFailures({ ...data, map });
}

/** With a note on the tool at which many runs failed, where there is one. */
function withFailures(data: ReportData): ReportData {
  const cause = commonFailure(data);
  if (cause === undefined) return data;
  const text = `${cause.runs} of the runs that failed have their last error at ${cause.tool}.`;
  const filter = { outcome: 'failed', tool: cause.tool };
  const action = { label: `Show failed runs that call ${cause.tool}`, filter };
  return { ...data, notes: [{ level: 'warning', about: 'failures', text, action }, ...data.notes] };
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
  assertType('runs', 'an array', runs);
  const notes = [...auditNotes(runs, content, undefined), ...(content.notes ?? [])];
  return createReportData(runs, { ...content, notes });
}

/** A representative subset, and the coverage of as many random runs and of the highest scores. */
function picksOf(runs: readonly ScoredRun[], graph: SimilarityGraph, k: number): ReportPicks {
  const groups = runs.map(({ objective, trace }, place) =>
    nearObjective(objective ?? trace?.task.objective ?? '', place),
  );
  // Near-identical objectives count as one, as long as there are others.
  const maxPerGroup = Math.max(1, Math.ceil(k / new Set(groups).size));
  const { ranking, baseline, knee } = selectSubset(graph, { k, groups, maxPerGroup });
  const count = ranking.length;
  const scoreOf = (run: number): number => runs[run]?.report.score ?? 0;
  const best = [...runs.keys()].sort((a, b) => scoreOf(b) - scoreOf(a) || a - b);
  const coverage = (chosen: readonly number[]): number[] => coverageOf(graph, baseline, chosen);
  const covered = coverage(ranking);
  return {
    runs: ranking,
    coverage: covered,
    alike: ranking.map((run) => groups.filter((group) => group === groups[run]).length),
    random: randomCoverage(graph.size, count, coverage),
    byScore: coverage(best.slice(0, count)),
    knee: bends(covered, knee) ? knee : 0,
  };
}

/** What objectives share that say nearly the same: their first words, whatever numbers are in them. */
function nearObjective(objective: string, place: number): string {
  const words =
    objective
      .toLowerCase()
      .match(/\p{L}{2,}/gu)
      ?.slice(0, 40) ?? [];
  return words.length === 0 ? `run ${place}` : words.join(' ');
}

// Picks after the knee add at most this share of what those before it add.
const BEND = 0.4;

/** Whether a curve really grows slower after a place: on a straight line no number is enough. */
function bends(curve: readonly number[], knee: number): boolean {
  const at = curve[knee - 1];
  const last = curve.at(-1);
  if (at === undefined || last === undefined || knee >= curve.length) return false;
  return (last - at) / (curve.length - knee) <= (BEND * at) / knee;
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
