import type { ReasoningTrace, ReasoningTraceStep, StepType } from '@kp/schema';

/** The four dimensions of the formula, in the order in which they are added up. */
export const DIMENSION_NAMES = [
  'complexity',
  'novelty',
  'toolDiversity',
  'outcomeConfidence',
] as const;

/** A dimension of the formula itself. */
export type DimensionName = (typeof DIMENSION_NAMES)[number];

/** The four dimensions, each in [0, 1]. */
export type DimensionScores = Readonly<Record<DimensionName, number>>;

/** What dimensions and rules need to know of a trace, read from it in one pass. */
export interface TraceFacts {
  /** How many there are. */
  readonly steps: number;
  /** Distinct step types, 0 to 4. */
  readonly stepTypes: number;
  /** Steps of type `error_recovery`. */
  readonly errorRecoveries: number;
  /** Distinct `tool.name` over all steps that carry a tool, whatever their type or server. */
  readonly uniqueTools: number;
  /** Whether the trace is one step and that step a thought. */
  readonly singleThought: boolean;
  /** Whether the run succeeded. */
  readonly success: boolean;
  /** Of the outcome, in [0, 1]. */
  readonly confidence: number;
}

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
  return complexityOf(factsOf(trace), lengthCreditCap).value;
}

export function complexityOf(
  facts: TraceFacts,
  lengthCreditCap: number,
): { readonly value: number; readonly terms: ComplexityTerms } {
  const stepTypes = (facts.stepTypes / 4) * 0.5;
  const errorRecovery = facts.errorRecoveries > 0 ? 0.3 : 0;
  const length = Math.min((facts.steps / 20) * 0.2, lengthCreditCap);
  const value = Math.min(1, stepTypes + errorRecovery + length);
  return { value, terms: { stepTypes, errorRecovery, length } };
}

/** The novelty when there is nothing to compare with, or no embedding to compare. */
export const UNKNOWN_NOVELTY = 0.5;

/**
 * Novelty from the cosine similarity to the nearest remembered trace: `1 − similarity`, cut to
 * [0, 1], so that a negative similarity gives 1.
 *
 * @param maxSimilarity - to the nearest remembered trace, in [-1, 1].
 */
export function noveltyOf(maxSimilarity: number): number {
  return Math.min(1, Math.max(0, 1 - maxSimilarity));
}

/**
 * How many different tools the trace uses for its length: `min(1, uniqueTools / steps · 3)`. Tools
 * of the same name on different servers are one tool.
 *
 * @param trace - a valid trace.
 * @returns a value in [0, 1]; 0 when no step has a tool.
 */
export function toolDiversity(trace: ReasoningTrace): number {
  return toolDiversityOf(factsOf(trace));
}

export function toolDiversityOf({ uniqueTools, steps }: TraceFacts): number {
  return Math.min(1, (uniqueTools / Math.max(1, steps)) * 3);
}

/**
 * The confidence in the outcome, times 0.3 when the run failed.
 *
 * @param trace - a valid trace.
 * @returns a value in [0, 1].
 */
export function outcomeConfidence(trace: ReasoningTrace): number {
  return outcomeConfidenceOf(trace.outcome.confidence, trace.metadata.success);
}

const FAILURE_FACTOR = 0.3;

export function outcomeConfidenceOf(confidence: number, success: boolean): number {
  return confidence * (success ? 1 : FAILURE_FACTOR);
}

const TYPE_BIT: Readonly<Record<StepType, number>> = {
  thought: 1,
  tool_call: 2,
  observation: 4,
  error_recovery: 8,
};

// Up to here a linear search beats a Set, which costs an allocation for every trace.
const LINEAR_SEARCH_TOOLS = 8;

/** The facts of a valid trace. */
export function factsOf(trace: ReasoningTrace): TraceFacts {
  return readFacts(trace.steps, trace.metadata.success, trace.outcome.confidence);
}

export function readFacts(
  steps: readonly ReasoningTraceStep[],
  success: boolean,
  confidence: number,
): TraceFacts {
  // Read once, and whatever the steps are: an accessor may answer something else every time.
  const { length } = steps;
  let typeBits = 0;
  let errorRecoveries = 0;
  let firstTool: string | undefined;
  let names: string[] | undefined;
  let more: Set<string> | undefined;
  for (let index = 0; index < length; index++) {
    const step = steps[index] as ReasoningTraceStep | undefined;
    const bit = TYPE_BIT[step?.type as StepType];
    typeBits |= bit;
    if (bit === 8) errorRecoveries++;
    const name = step?.tool?.name;
    if (name === undefined || name === firstTool) continue;
    if (firstTool === undefined) firstTool = name;
    else if (more !== undefined) more.add(name);
    else if (names === undefined) names = [firstTool, name];
    else if (!names.includes(name)) {
      names.push(name);
      if (names.length > LINEAR_SEARCH_TOOLS) more = new Set(names);
    }
  }
  return {
    steps: length,
    stepTypes: (typeBits & 1) + ((typeBits >> 1) & 1) + ((typeBits >> 2) & 1) + (typeBits >> 3),
    errorRecoveries,
    uniqueTools: more?.size ?? names?.length ?? (firstTool === undefined ? 0 : 1),
    singleThought: length === 1 && typeBits === TYPE_BIT.thought,
    success,
    confidence,
  };
}
