import type { ReasoningTrace } from '@kp/schema';
import { createScorer, type ScoreReport, type ScorerOptions } from '@kp/scoring';
import type { SimilarityGraph } from '@kp/vector-cache';
import { corpusNovelty } from './corpus-novelty.ts';
import { CurationInputError, checkLength } from './errors.ts';

/** What a corpus is scored by. */
export interface CorpusScoreOptions {
  /** The graph of these traces, in their order. */
  readonly graph: SimilarityGraph;
  /** What made the vectors of the graph; stands in each report as `novelty.embedder`. */
  readonly vectorsId: string;
  /** How novelty is weighed: profiles, and what else `createScorer` takes for that. */
  readonly scoring?: Omit<ScorerOptions, 'embedder' | 'memory' | 'budgetMs'>;
  /** Ends the scoring: the promise rejects with the signal's reason. */
  readonly signal?: AbortSignal;
}

/**
 * Scores the traces of a corpus as one: the novelty of each is {@link corpusNovelty}, whatever the
 * order, and all else is as always. In the reports `novelty.source` is `corpus`, and `nearest` the
 * most similar of all other traces.
 *
 * @param traces - in the order of the graph.
 * @returns one report a trace, in their order.
 * @throws `TraceValidationError` when a trace is not valid, and the signal's reason when aborted.
 */
export async function scoreCorpus(
  traces: readonly ReasoningTrace[],
  options: CorpusScoreOptions,
): Promise<ScoreReport[]> {
  const { graph, vectorsId, scoring, signal } = options;
  checkLength('traces', traces.length, graph.size);
  if (typeof vectorsId !== 'string') {
    throw new CurationInputError('vectorsId', 'the id of what made the vectors', vectorsId);
  }
  const novelty = corpusNovelty(graph);
  let current = 0;
  // Everything else of a scorer stays as it is; only what it remembers is the whole corpus.
  const scorer = createScorer({
    ...scoring,
    budgetMs: Number.POSITIVE_INFINITY,
    embedder: {
      id: vectorsId,
      dimensions: 1,
      embed: async (texts) => texts.map(() => ({ vector: Float32Array.of(1), truncated: false })),
    },
    memory: {
      size: graph.size,
      nearest: () => ({ similarity: 1 - novelty[current] }),
      add: () => undefined,
    },
  });
  const reports: ScoreReport[] = [];
  for (const trace of traces) {
    signal?.throwIfAborted();
    const report = await scorer.score(trace);
    reports.push({ ...report, novelty: noveltyReport(traces, graph, vectorsId, current++) });
  }
  await scorer.close();
  return reports;
}

function noveltyReport(
  traces: readonly ReasoningTrace[],
  { size, neighbors, indices, similarities }: SimilarityGraph,
  embedder: string,
  run: number,
): ScoreReport['novelty'] {
  const report = { source: 'corpus', comparedWith: size - 1, truncated: false, embedder } as const;
  if (neighbors === 0) return report;
  const first = run * neighbors;
  const key = traces[indices[first]].id;
  return { ...report, nearest: { key, similarity: similarities[first] } };
}
