import type { ReasoningTrace, ReasoningTraceStep } from '@kp/schema';

/** The text of a trace that is embedded, and where its parts begin. */
export interface EmbeddedText {
  readonly text: string;
  /** Ascending indices into the text: where the content of each step that has one begins. */
  readonly boundaries: readonly number[];
}

/**
 * The text of a trace that is embedded: the objective, then the `content` of every step that has
 * one, joined by one space.
 */
export function traceText(trace: ReasoningTrace): string {
  return embeddedText(trace.task.objective, trace.steps).text;
}

export function embeddedText(
  objective: string,
  steps: readonly ReasoningTraceStep[],
): EmbeddedText {
  let text = objective;
  const boundaries: number[] = [];
  for (const { content } of steps) {
    if (content === undefined || content === '') continue;
    boundaries.push(text.length + 1);
    text += ` ${content}`;
  }
  return { text, boundaries };
}
