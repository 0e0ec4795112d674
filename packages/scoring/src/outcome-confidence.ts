import type { ReasoningTrace } from '@kp/schema';

const FAILURE_FACTOR = 0.3;

/**
 * The confidence in the outcome, times 0.3 when the run failed.
 *
 * @param trace - a valid trace.
 * @returns a value in [0, 1].
 */
export function outcomeConfidence(trace: ReasoningTrace): number {
  return trace.outcome.confidence * (trace.metadata.success ? 1 : FAILURE_FACTOR);
}
