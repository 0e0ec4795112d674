import { assertFields } from '@kp/foundation';
import type { ReasoningTrace, ReasoningTraceStep, StepType } from '@kp/schema';

/** The facts about a trace that dimensions and rules use, counted in one pass. */
export interface TraceFacts {
  /** Number of steps. */
  readonly steps: number;
  /** Distinct step types, 0 to 4. */
  readonly stepTypes: number;
  /** Steps of type `error_recovery`. */
  readonly errorRecoveries: number;
  /** Distinct `tool.name` over all steps with a tool, whatever their type or server. */
  readonly uniqueTools: number;
  /** Whether the trace is a single step of type `thought`. */
  readonly singleThought: boolean;
  /** Whether the run succeeded. */
  readonly success: boolean;
  /** Confidence in the outcome, in [0, 1]. */
  readonly confidence: number;
}

const THOUGHT = 1;
const TOOL_CALL = 2;
const OBSERVATION = 4;
const ERROR_RECOVERY = 8;

/** The bit of a step type; 0 for anything else. Comparing texts is faster in V8 than a look-up by them. */
function bitOf(type: StepType | undefined): number {
  if (type === 'tool_call') return TOOL_CALL;
  if (type === 'observation') return OBSERVATION;
  if (type === 'thought') return THOUGHT;
  return type === 'error_recovery' ? ERROR_RECOVERY : 0;
}

// Up to this number of names, a linear search is faster than a Set, which costs an allocation per
// trace.
const LINEAR_SEARCH_TOOLS = 8;

/** The facts of a valid trace. */
export function factsOf(trace: ReasoningTrace): TraceFacts {
  if (!trace?.steps || !trace.metadata || !trace.outcome) {
    // Only where something is missing: checking all fields takes longer than counting.
    assertFields('trace', trace, {
      steps: 'an array',
      metadata: 'an object',
      outcome: 'an object',
    });
  }
  const { steps, metadata, outcome } = trace;
  return countFacts(steps, steps.length, metadata.success, outcome.confidence);
}

/** @param count - the number of steps to read: `steps.length` may change while they are read. */
export function countFacts(
  steps: readonly ReasoningTraceStep[],
  count: number,
  success: boolean,
  confidence: number,
): TraceFacts {
  let typeBits = 0;
  let errorRecoveries = 0;
  let firstTool: string | undefined;
  let names: string[] | undefined;
  let more: Set<string> | undefined;
  for (let index = 0; index < count; index++) {
    const step = steps[index] as ReasoningTraceStep | undefined;
    const bit = bitOf(step?.type);
    typeBits |= bit;
    if (bit === ERROR_RECOVERY) errorRecoveries++;
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
    steps: count,
    stepTypes: (typeBits & 1) + ((typeBits >> 1) & 1) + ((typeBits >> 2) & 1) + (typeBits >> 3),
    errorRecoveries,
    uniqueTools: more?.size ?? names?.length ?? (firstTool === undefined ? 0 : 1),
    singleThought: count === 1 && typeBits === THOUGHT,
    success,
    confidence,
  };
}
