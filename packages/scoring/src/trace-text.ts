import type { ReasoningTrace } from '@kp/schema';

/**
 * The text of a trace that is embedded: the objective, then the `content` of every step that has
 * one, joined by one space.
 */
export function traceText(trace: ReasoningTrace): string {
  let text = trace.task.objective;
  for (const { content } of trace.steps) {
    if (content !== undefined && content !== '') text += ` ${content}`;
  }
  return text;
}
