import type { RecordedVerdict } from '../importer/importer.ts';
import { findAgents } from './agents.ts';
import { exceptionOf, fromOutermost, type Span } from './span.ts';

/**
 * Reads whether a run ended with an error. Its outermost agent decides, or without one the outermost span
 * that `isWhole` accepts. The failure of a sub-agent, which the outer agent may have handled, is no failure
 * of the run, and neither is that of a request around the agent. Of several, the last to end decides: the
 * others may be failed attempts.
 *
 * @param spans - the spans of the run.
 * @param steps - those of them that are its steps.
 * @param isWhole - whether a span without an agent around or in it stands for the run.
 */
export function readRunFailure(
  spans: readonly Span[],
  steps: readonly Span[],
  isWhole: (span: Span) => boolean,
): RecordedVerdict[] {
  const agents = findAgents(spans);
  const decisive =
    lastAround(steps, spans, ({ spanId }) => agents.has(spanId)) ??
    lastAround(steps, spans, isWhole);
  if (decisive?.failed !== true) return [];
  const reason = decisive.statusMessage || exceptionOf(decisive) || 'ERROR';
  return [{ path: 'status', value: reason, rank: 'crash' }];
}

/** The outermost accepted span around each step; of these, the last to end. */
function lastAround(
  steps: readonly Span[],
  spans: readonly Span[],
  isAccepted: (span: Span) => boolean,
): Span | undefined {
  const byId = new Map(spans.map((span) => [span.spanId, span]));
  const around = fromOutermost(spans, byId, (span) => (isAccepted(span) ? span : undefined));
  return steps
    .flatMap(({ spanId }) => around.get(spanId) ?? [])
    .reduce<Span | undefined>((last, span) => {
      const isLater = last === undefined || span.end > last.end;
      return isLater || (span.end === last.end && span.start > last.start) ? span : last;
    }, undefined);
}
