import { findDuplicates, type SimilarityGraph, selectSubset } from '@kp/curation';
import {
  createReportData,
  layOutRuns,
  type ReportComparison,
  type ReportData,
  type ReportMap,
  type ReportNote,
  type ReportPicks,
  type ScoredRun,
} from '@kp/report';
import { uniformInt } from 'pure-rand/distribution/uniformInt';
import { xoroshiro128plus } from 'pure-rand/generator/xoroshiro128plus';
import type { Comparison } from './comparison.ts';
import type { Corpus } from './corpus.ts';
import { createAssumptions } from './summary.ts';

export interface ReportContentOptions {
  readonly title: string;
  readonly threshold: number;
  /** How many runs to name for reading. */
  readonly picks: number;
  readonly includeText: boolean;
  readonly redact: readonly RegExp[];
  readonly notes: readonly ReportNote[];
  readonly comparison: ReportComparison | undefined;
  readonly countedAs: 'succeeded' | 'failed';
}

// Runs that are this alike repeat each other; under it similar tasks are joined, too.
const COPY = 0.95;
const NEIGHBORS = 15;

/** The page of scores that were kept without their runs: no steps, no map and no choice. */
export function reportOfScores(
  runs: readonly ScoredRun[],
  { title, threshold, includeText, redact }: ReportContentOptions,
): ReportData {
  const text = 'Made of saved scores: for the map and the runs to read, give the recordings.';
  const notes = [{ level: 'note' as const, text }];
  return createReportData(runs, { title, threshold, includeText, redact, notes });
}

/** Everything that the page of a corpus shows. */
export async function reportOf(corpus: Corpus, options: ReportContentOptions): Promise<ReportData> {
  const { includeText, redact, threshold, title, comparison } = options;
  const texts = includeText ? corpus.runs.map(({ fields }) => fields.objective) : undefined;
  return createReportData(scoredRuns(corpus), {
    title,
    threshold,
    includeText,
    redact,
    comparison,
    notes: [...assumptionsOf(corpus, options.countedAs), ...options.notes],
    picks: corpus.runs.length === 0 ? undefined : picksOf(corpus, options.picks),
    map: corpus.runs.length < 3 ? undefined : await mapOf(corpus, texts),
  });
}

function scoredRuns({ runs, reports }: Corpus): ScoredRun[] {
  return runs.flatMap(({ run, fields }, index): ScoredRun[] => {
    const report = reports[index];
    if (report === undefined) return [];
    const { task, model, success, successFrom, file, objective } = fields;
    return [
      {
        report,
        trace: run.trace,
        file,
        objective,
        task: task ?? undefined,
        model: model ?? undefined,
        success: success ?? undefined,
        successSource: successFrom,
      },
    ];
  });
}

function assumptionsOf({ runs }: Corpus, countedAs: 'succeeded' | 'failed'): ReportNote[] {
  const assumptions = createAssumptions(countedAs);
  for (const { run } of runs) assumptions.add(run.provenance);
  return assumptions.describe().map((text) => ({ level: 'note', text }));
}

/** The runs that stand for all, and what as many others would have stood for. */
function picksOf({ graph, reports }: Corpus, k: number): ReportPicks {
  const { ranking, representedBy, baseline, knee } = selectSubset(graph, { k });
  const count = ranking.length;
  const best = [...reports.keys()].sort(
    (a, b) => (reports[b]?.score ?? 0) - (reports[a]?.score ?? 0) || a - b,
  );
  const coverage = (runs: readonly number[]): number[] => coverageOf(graph, baseline, runs);
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
    const chosen = graph.places[run] as number;
    let sum = 0;
    for (let place = 0; place < best.length; place++) {
      const similarity = graph.similarityAt(place, chosen);
      const weight = place === chosen ? 1 : Math.max(0, (similarity - baseline) / (1 - baseline));
      best[place] = Math.max(best[place] as number, weight);
      sum += best[place] as number;
    }
    return sum / best.length;
  });
}

const DRAWS = 5;
const SEED = 1;

/** The mean over a few seeded draws. */
function randomCoverage(
  size: number,
  count: number,
  coverage: (runs: readonly number[]) => readonly number[],
): number[] {
  const random = xoroshiro128plus(SEED);
  const sums = new Array<number>(count).fill(0);
  for (let draw = 0; draw < DRAWS; draw++) {
    const drawn = new Set<number>();
    while (drawn.size < count) drawn.add(uniformInt(random, 0, size - 1));
    for (const [pick, value] of coverage([...drawn]).entries()) {
      sums[pick] = (sums[pick] ?? 0) + value / DRAWS;
    }
  }
  return sums;
}

async function mapOf(corpus: Corpus, texts: readonly string[] | undefined): Promise<ReportMap> {
  const { graph, vectors } = corpus;
  const { size, neighbors, order, places, lists } = graph;
  const count = Math.min(NEIGHBORS, neighbors);
  const indices = new Int32Array(size * count);
  const similarities = new Float64Array(size * count);
  for (let run = 0; run < size; run++) {
    const from = (places[run] as number) * neighbors;
    for (let at = 0; at < count; at++) {
      indices[run * count + at] = order[lists.places[from + at] as number] as number;
      similarities[run * count + at] = lists.similarities[from + at] as number;
    }
  }
  const duplicates = findDuplicates(graph, { threshold: COPY });
  return layOutRuns('kind' in vectors ? vectors.rows : vectors, {
    duplicates,
    texts,
    neighbors: { count, indices, similarities },
  });
}

/** A comparison of two sets of runs as the page draws it. */
export function reportComparison(
  comparison: Comparison,
  base: string,
  next: string,
): ReportComparison {
  const { tasks, wins, losses, ties, meanDifference, interval, unmatched } = comparison;
  return {
    before: base,
    after: next,
    tasks: tasks.map(({ task, objective, base: before, new: after }) => ({
      task: task ?? objective,
      before: before.score,
      after: after.score,
    })),
    wins,
    losses,
    ties,
    difference: meanDifference ?? 0,
    interval: [interval?.low ?? 0, interval?.high ?? 0],
    onlyBefore: unmatched.base.tasks,
    onlyAfter: unmatched.new.tasks,
  };
}
