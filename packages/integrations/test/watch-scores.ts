import type { KnowledgePulseError } from '@kp/foundation';
import type { ReasoningTrace } from '@kp/schema';
import { createScorer } from '@kp/scoring';
import type { LiveScore, LiveScorerOptions } from '../src/live/live-scorer.ts';

/** Creates options for a live scorer and collects its reports. */
export function watchScores(change: Partial<LiveScorerOptions> = {}) {
  const scores: LiveScore[] = [];
  const errors: KnowledgePulseError[] = [];
  const options: LiveScorerOptions = {
    scorer: createScorer({ embedder: null }),
    onScore: (score) => void scores.push(score),
    onError: (error) => void errors.push(error),
    ...change,
  };
  return { options, scores, errors };
}

/** Summarises each step of a trace as text: type, tool and input, or content. */
export function sketch({ steps }: Pick<ReasoningTrace, 'steps'>): string[] {
  return steps.map(({ type, tool, input, content }) => {
    const called = tool === undefined ? content : `${tool.name} ${JSON.stringify(input ?? {})}`;
    return `${type} ${called ?? ''}`.trim();
  });
}
