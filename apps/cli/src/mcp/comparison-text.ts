import type { NoveltySource, ScoreReport } from '@knowledgepulse/sdk';

type Novelty = ScoreReport['novelty'];

/** Sources after which a later call may succeed. */
const FAILED: ReadonlySet<NoveltySource> = new Set<NoveltySource>([
  'budget_exceeded',
  'overloaded',
  'embedder_failed',
  'memory_failed',
]);

/** Whether a tool that needs the memory did not do its work. */
export function hasFailed({ source }: Novelty): boolean {
  return FAILED.has(source);
}

/** Says which remembered run is the most similar one, or why there is none. */
export function similarText(novelty: Novelty): string {
  const { nearest, source } = novelty;
  if (nearest !== undefined) {
    return `${nearest.similarity.toFixed(3)} like ${nearest.key ?? 'a run without an id'}`;
  }
  if (source === 'empty_memory') return 'the memory is empty';
  return `not compared: ${reasonOf(novelty)}`;
}

/** Says whether a run that was evaluated is now remembered. */
export function rememberedText({ novelty, score }: ScoreReport, id: string): string {
  const { source } = novelty;
  const value = score.toFixed(3);
  if (source === 'nearest' || source === 'empty_memory') return `${value}, remembered as ${id}`;
  // The memory may have kept the run before it failed.
  const isUncertain = source === 'memory_failed' || source === 'budget_exceeded';
  const outcome = isUncertain ? 'may not be remembered' : 'not remembered';
  return `${value}, ${outcome}: ${reasonOf(novelty)}`;
}

function reasonOf({ source, failure }: Novelty): string {
  if (source === 'no_text') return 'the run has no text to compare';
  if (failure === undefined) return `${source.replace('_', ' ')}; try again`;
  const part = source === 'memory_failed' ? 'memory' : 'embedder';
  return `the ${part} failed: ${failure.message}`;
}
