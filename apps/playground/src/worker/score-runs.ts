import type { ReasoningTrace, ScoreReport } from '@knowledgepulse/sdk';
import {
  buildSimilarityGraph,
  groupDuplicates,
  type SimilarityGraph,
  scoreCorpus,
} from '@kp/curation';
import type { ScoredRun } from '@kp/report';
import { profilesOf, type Settings } from '../settings.ts';
import type { ReadRun, ReadRuns } from './read-recordings.ts';

export interface ScoredRuns {
  readonly runs: readonly ScoredRun[];
  /** Indexes of runs that repeat a run that is kept. */
  readonly repeats: ReadonlySet<number>;
}

/** Compares the runs; settings do not affect the similarities. */
export function compareRuns(
  { runs, vectors }: ReadRuns,
  signal: AbortSignal,
  onProgress: (progress: { done: number; total: number }) => void,
): Promise<SimilarityGraph> {
  const keys = runs.map(({ key }) => key);
  return buildSimilarityGraph(vectors, { keys, signal, onProgress });
}

/** Scores the runs as one corpus, independent of their order. */
export async function scoreRuns(
  { runs, vectors }: ReadRuns,
  graph: SimilarityGraph,
  settings: Settings,
  signal: AbortSignal,
): Promise<ScoredRuns> {
  const traces = runs.map((run) => withSettings(run, settings));
  const reports = await scoreCorpus(traces, {
    graph,
    vectorsId: vectors.id,
    scoring: { profiles: profilesOf(settings) },
    signal,
  });
  const scored = runs.map((run, place) =>
    scoredRun(run, traces[place] as ReasoningTrace, reports[place] as ScoreReport),
  );
  const merits = scored.map(({ success, report }) => ({ success, score: report.score }));
  const groups = groupDuplicates(graph, merits, { threshold: settings.duplicates });
  const repeats = groups.flatMap(({ members }) => members.map(({ run }) => run));
  return { runs: scored, repeats: new Set(repeats) };
}

/** Returns the trace with the domain and the verdict of the settings. */
function withSettings({ trace, provenance }: ReadRun, settings: Settings): ReasoningTrace {
  const { metadata } = trace;
  const isAssumed = provenance?.success === 'assumed';
  return {
    ...trace,
    metadata: {
      ...metadata,
      task_domain: settings.domain === '' ? metadata.task_domain : settings.domain,
      success: isAssumed ? settings.verdict === 'succeeded' : metadata.success,
    },
  };
}

function scoredRun(
  { provenance, objective, file, removedCharacters }: ReadRun,
  trace: ReasoningTrace,
  report: ScoreReport,
): ScoredRun {
  const successSource = provenance?.success ?? 'recorded';
  const isKnown = successSource !== 'assumed' && successSource !== 'unknown';
  return {
    report,
    trace,
    file,
    objective: objective ?? trace.task.objective,
    task: provenance?.task,
    model: provenance?.model,
    success: isKnown ? trace.metadata.success : undefined,
    successSource,
    confidenceSource: provenance?.confidence ?? 'recorded',
    removedCharacters,
  };
}
