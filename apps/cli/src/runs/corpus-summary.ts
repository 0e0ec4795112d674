import type { ReasoningTrace, ReasoningTraceStep } from '@knowledgepulse/sdk';
import { contentKey } from '@kp/curation';
import { STEP_SOURCE_KEY } from '@kp/importers';
import type { CorpusSummary } from './prepared-data.ts';
import type { Run } from './run.ts';
import { sha256Of } from './sha256.ts';
import { wasteLines } from './waste-lines.ts';

/**
 * Summarizes a run with a valid trace.
 *
 * @param withContent - whether to keep the content.
 */
export async function summarizeRun(run: Run, withContent: boolean): Promise<CorpusSummary> {
  const { trace } = run;
  return {
    key: await contentKey(trace),
    digest: recordDigest(run),
    findings: wasteLines(trace),
    removedCharacters: withContent ? 0 : charactersOf(trace),
    trace: withContent ? trace : withoutContent(trace),
  };
}

/** Computes the digest of a run's whole record. */
export function recordDigest({ record }: Run): string {
  return sha256Of(JSON.stringify(record));
}

export function charactersOf({ steps }: ReasoningTrace): number {
  return steps.reduce((sum, { content = '' }) => sum + content.length, 0);
}

/**
 * Removes the content that scores do not need: a corpus of whole traces would not fit in memory.
 */
export function withoutContent(trace: ReasoningTrace): ReasoningTrace {
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
