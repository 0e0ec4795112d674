import { createHash } from 'node:crypto';
import {
  type ReasoningTrace,
  type ReasoningTraceStep,
  type ScoreReport,
  safeParseTrace,
} from '@knowledgepulse/sdk';
import {
  buildSimilarityGraph,
  contentKey,
  createCorpusVectorizer,
  type SimilarityGraph,
  type SparseVectors,
  scoreCorpus,
} from '@kp/curation';
import { STEP_SOURCE_KEY } from '@kp/importers';
import type { OpenedRuns } from './open-runs.ts';
import { fieldsOf, type Run, type RunFields } from './run.ts';
import { invalidMessage } from './scoring.ts';
import type { Spill, SpilledText } from './spill.ts';

/** A run of a corpus, without what was said and done in it. */
export interface CorpusRun {
  readonly run: Run;
  readonly fields: RunFields;
  /** Its content key: copies have the same. */
  readonly key: string;
  /** Tells runs of one content apart by all that they were recorded as. */
  readonly digest: string;
  /** What was kept of it, if that was asked for. */
  readonly kept: SpilledText | undefined;
}

/** The words of a corpus that is being read. Several readings can go into one. */
export interface CorpusReader {
  /** Takes in all runs; those that are not valid traces are problems on the terminal. */
  read(opened: Pick<OpenedRuns, 'runs' | 'terminal'>): Promise<CorpusRun[]>;
  /** Vectors of the runs, in the order in which they were read. */
  vectors(): SparseVectors;
}

/**
 * @param keep - what to keep of a run in the spill, as text.
 * @param withContent - keep what was said and done as well: of a large corpus it may not fit.
 */
export function createCorpusReader(
  keep?: { readonly spill: Spill; readonly textOf: (run: Run) => string },
  withContent: boolean = false,
): CorpusReader {
  const vectorizer = createCorpusVectorizer();
  return {
    async read({ runs, terminal }) {
      const found: CorpusRun[] = [];
      for await (const run of runs) {
        const parsed = safeParseTrace(run.trace);
        if (!parsed.success) {
          terminal.problem(invalidMessage(parsed.error, run));
          continue;
        }
        vectorizer.add(run.trace);
        const kept = await keep?.spill.add(keep.textOf(run));
        found.push({
          run: { ...run, record: null, trace: withContent ? run.trace : withoutContent(run.trace) },
          fields: fieldsOf(run),
          key: await contentKey(run.trace),
          digest: createHash('sha256').update(JSON.stringify(run.record)).digest('hex'),
          kept,
        });
        terminal.progress.scored();
      }
      return found;
    },
    vectors: () => vectorizer.vectors(),
  };
}

/** A corpus whose runs are in an order that does not depend on the order of the input. */
export interface Corpus {
  readonly runs: readonly CorpusRun[];
  readonly graph: SimilarityGraph;
  readonly reports: readonly ScoreReport[];
  readonly vectors: SparseVectors;
}

/** @throws the signal's reason when it is aborted. */
export async function buildCorpus(
  runs: readonly CorpusRun[],
  vectors: SparseVectors,
  signal: AbortSignal,
): Promise<Corpus> {
  const order = runs
    .map((_, index) => index)
    .sort((a, b) => compareRuns(runs[a] as CorpusRun, runs[b] as CorpusRun));
  const sorted = order.map((index) => runs[index] as CorpusRun);
  const rows = order.map((index) => vectors.rows[index] as SparseVectors['rows'][number]);
  const keys = sorted.map(({ key }) => key);
  const sortedVectors = { ...vectors, rows };
  const graph = await buildSimilarityGraph(sortedVectors, { keys, signal });
  const traces = sorted.map(({ run }) => run.trace);
  const reports = await scoreCorpus(traces, { graph, vectorsId: vectors.id, signal });
  return { runs: sorted, graph, reports, vectors: sortedVectors };
}

/** Reads and builds in one go. */
export async function readCorpus(opened: OpenedRuns): Promise<Corpus> {
  const reader = createCorpusReader();
  const runs = await reader.read(opened);
  return buildCorpus(runs, reader.vectors(), opened.terminal.stopped);
}

function compareRuns(a: CorpusRun, b: CorpusRun): number {
  const place = ({ key, digest, run: { file, line } }: CorpusRun): (string | number)[] => [
    key,
    digest,
    file,
    line,
  ];
  const [first, second] = [place(a), place(b)];
  for (const [index, value] of first.entries()) {
    const other = second[index] as string | number;
    if (value !== other) return value < other ? -1 : 1;
  }
  return 0;
}

/** What a score needs of a trace: a corpus of whole traces would not fit. */
function withoutContent(trace: ReasoningTrace): ReasoningTrace {
  return {
    ...trace,
    steps: trace.steps.map((step) => {
      const { step_id, type, tool } = step;
      const kept: ReasoningTraceStep = { step_id, type };
      if (tool !== undefined) kept.tool = { name: tool.name };
      if (step[STEP_SOURCE_KEY] !== undefined) kept[STEP_SOURCE_KEY] = step[STEP_SOURCE_KEY];
      return kept;
    }),
  };
}
