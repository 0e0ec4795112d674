import type { ReasoningTrace } from '@kp/schema';
import { countSteps, type StepCounts } from './step-counts.ts';

/**
 * How many different tools the trace uses for its length: `min(1, uniqueTools / steps · 3)`. Tools
 * of the same name on different servers are one tool.
 *
 * @param trace - a valid trace.
 * @returns a value in [0, 1]; 0 when no step has a tool.
 */
export function toolDiversity(trace: ReasoningTrace): number {
  return toolDiversityOf(countSteps(trace.steps));
}

export function toolDiversityOf(counts: StepCounts): number {
  return Math.min(1, (counts.uniqueTools / Math.max(1, counts.steps)) * 3);
}
