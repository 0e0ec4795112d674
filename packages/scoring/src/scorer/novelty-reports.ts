import { codeOf, messageOf } from '@kp/foundation';
import type { NoveltyReport, NoveltySource } from '../formula/score-report.ts';
import type { TraceEmbedding } from '../novelty/embed-trace.ts';
import type { MemoryAnswer } from '../novelty/novelty-memory.ts';

/** The report of a comparison. */
export function foundNovelty(
  { truncated, tokens, chunks, empty }: TraceEmbedding,
  { nearest, comparedWith }: MemoryAnswer,
  embedder: string,
): NoveltyReport {
  let source: NoveltySource = nearest === undefined ? 'empty_memory' : 'nearest';
  if (empty) source = 'no_text';
  const report: { -readonly [Field in keyof NoveltyReport]: NoveltyReport[Field] } = {
    source,
    truncated,
    embedder,
  };
  if (nearest !== undefined) report.nearest = nearest;
  if (comparedWith !== undefined) report.comparedWith = comparedWith;
  if (tokens !== undefined) report.tokens = tokens;
  if (chunks !== undefined) report.chunks = chunks;
  return report;
}

/** The report of a trace that could not be compared. */
export function failedNovelty(
  source: 'embedder_failed' | 'memory_failed',
  cause: unknown,
  embedder: string,
): NoveltyReport {
  const code = codeOf(cause) ?? source.toUpperCase();
  return { source, truncated: false, embedder, failure: { code, message: messageOf(cause) } };
}
