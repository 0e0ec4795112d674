import type { NoveltyMemory, ScoreReport } from '@knowledgepulse/sdk';
import { buildSimilarityGraph, corpusNovelty } from '@kp/curation';

/** Watches a closed set of runs being scored, to say how much their order mattered. */
export interface OrderObserver {
  /** The memory, as the scorer is to use it. */
  observe(memory: NoveltyMemory): NoveltyMemory;
  add(report: ScoreReport): void;
  /** A line for the summary; none when too few or too many were scored, or nothing compared. */
  describe(signal: AbortSignal): Promise<readonly string[]>;
}

const MOST_RUNS = 2_000;
const TOP = 10;

export function createOrderObserver(): OrderObserver {
  const vectors: Float32Array[] = [];
  const keys: string[] = [];
  const reports: Pick<ScoreReport, 'traceId' | 'score' | 'dimensions' | 'weights'>[] = [];
  return {
    observe: (memory) => ({
      nearest: (vector, options) => memory.nearest(vector, options),
      add(vector, key, options) {
        if (vectors.length <= MOST_RUNS) {
          vectors.push(Float32Array.from(vector));
          keys.push(key);
        }
        return memory.add(vector, key, options);
      },
      get size() {
        return memory.size ?? 0;
      },
    }),
    add({ traceId, score, dimensions, weights, novelty }) {
      const compared = novelty.source === 'nearest' || novelty.source === 'empty_memory';
      if (compared && reports.length <= MOST_RUNS) {
        reports.push({ traceId, score, dimensions, weights });
      }
    },
    async describe(signal) {
      const size = reports.length;
      const isWhole =
        keys.length === size && reports.every(({ traceId }, at) => traceId === keys[at]);
      if (size < 3 || size > MOST_RUNS || !isWhole || signal.aborted) return [];
      const graph = await buildSimilarityGraph(vectors, { keys, neighbors: 32, signal });
      const novelty = corpusNovelty(graph);
      const changes = reports.map(
        ({ dimensions }, run) => (novelty[run] as number) - dimensions.novelty,
      );
      const mean = changes.reduce((sum, change) => sum + Math.abs(change), 0) / size;
      const scores = reports.map(({ score }) => score);
      const others = reports.map(
        ({ score, weights }, run) => score + weights.novelty * (changes[run] as number),
      );
      const top = Math.min(TOP, Math.ceil(size / 2));
      const kept = topOf(scores, top).filter((run) => topOf(others, top).includes(run)).length;
      return [
        `novelty is against earlier runs only: on average ${mean.toFixed(2)} off its mean over all ` +
          `orders, by which ${top - kept} of the top ${top} would be others; --corpus scores so`,
      ];
    },
  };
}

function topOf(values: readonly number[], count: number): number[] {
  return values
    .map((_, run) => run)
    .sort((a, b) => (values[b] as number) - (values[a] as number) || a - b)
    .slice(0, count);
}
