import type { ReasoningTrace } from '@kp/schema';
import { createScorer, type Scorer } from './scorer.ts';

let sharedScorer: Scorer | undefined;

/**
 * What a trace is worth, in [0, 1]. All calls of a process share one scorer and its memory of the
 * last 1,000 traces, so a repeated pattern loses novelty. For the derivation, a memory of your own
 * or other options, use `createScorer`.
 *
 * @throws {@link TraceValidationError}, as a rejection, when the trace is not valid.
 */
export async function evaluateValue(trace: ReasoningTrace): Promise<number> {
  sharedScorer ??= createScorer();
  return (await sharedScorer.evaluate(trace)).score;
}
