import { assertFields } from '@kp/foundation';
import type { ReasoningTrace, ReasoningTraceStep } from '@kp/schema';

/**
 * Returns the agent's last message or thought, or the summary of the result if there is none.
 *
 * @param trace - a valid trace.
 */
export function lastMessage(trace: ReasoningTrace): string {
  assertFields('trace', trace, { steps: 'an array', outcome: 'an object' });
  const { steps, outcome } = trace;
  return steps.findLast(isMessage)?.content ?? outcome.result_summary;
}

/** Whether a step is a message or a thought of the agent. */
export function isMessage({ type, tool, content }: ReasoningTraceStep): boolean {
  return type !== 'observation' && tool === undefined && content !== undefined;
}
