import type { ReasoningTrace } from '@kp/schema';
import { countSteps, type StepCounts } from './step-counts.ts';

/** The three terms of complexity; their sum, cut to 1, is the dimension. */
export interface ComplexityTerms {
  /** Variety of step types, 0 to 0.5. */
  readonly stepTypes: number;
  /** 0.3 when the trace recovers from an error, else 0. */
  readonly errorRecovery: number;
  /** 0.01 a step, cut to `lengthCreditCap`. */
  readonly length: number;
}

/**
 * How rich the trace is in structure:
 * `min(1, uniqueTypes / 4 · 0.5 + (errorRecovery > 0 ? 0.3 : 0) + steps / 20 · 0.2)`.
 *
 * @param trace - a valid trace.
 * @param lengthCreditCap - the most that the number of steps can add; Infinity is the formula as
 * it stands, 0.2 the reading 'at most 0.20'.
 * @returns a value in [0, 1].
 */
export function complexity(trace: ReasoningTrace, lengthCreditCap: number = Infinity): number {
  return sumOfTerms(complexityTerms(countSteps(trace.steps), lengthCreditCap));
}

export function complexityTerms(counts: StepCounts, lengthCreditCap: number): ComplexityTerms {
  return {
    stepTypes: (counts.stepTypes / 4) * 0.5,
    errorRecovery: counts.errorRecoveries > 0 ? 0.3 : 0,
    length: Math.min((counts.steps / 20) * 0.2, lengthCreditCap),
  };
}

export function sumOfTerms(terms: ComplexityTerms): number {
  return Math.min(1, terms.stepTypes + terms.errorRecovery + terms.length);
}
