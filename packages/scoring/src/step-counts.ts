import type { ReasoningTraceStep, StepType } from '@kp/schema';

/** What the dimensions and the rules need to know of the steps, counted in one pass. */
export interface StepCounts {
  readonly steps: number;
  /** Distinct step types, 0 to 4. */
  readonly stepTypes: number;
  /** Steps of type `error_recovery`. */
  readonly errorRecoveries: number;
  /** Distinct `tool.name` over all steps that carry a tool, whatever their type or server. */
  readonly uniqueTools: number;
  /** Whether the trace is one step and that step a thought. */
  readonly singleThought: boolean;
}

const TYPE_BIT: Readonly<Record<StepType, number>> = {
  thought: 1,
  tool_call: 2,
  observation: 4,
  error_recovery: 8,
};

// Up to here a linear search beats a Set, which costs an allocation for every trace.
const LINEAR_SEARCH_TOOLS = 8;

export function countSteps(steps: readonly ReasoningTraceStep[]): StepCounts {
  let typeBits = 0;
  let errorRecoveries = 0;
  let firstTool: string | undefined;
  let names: string[] | undefined;
  let more: Set<string> | undefined;
  for (let index = 0; index < steps.length; index++) {
    const step = steps[index] as ReasoningTraceStep;
    const bit = TYPE_BIT[step.type];
    typeBits |= bit;
    if (bit === 8) errorRecoveries++;
    const name = step.tool?.name;
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
    steps: steps.length,
    stepTypes: (typeBits & 1) + ((typeBits >> 1) & 1) + ((typeBits >> 2) & 1) + (typeBits >> 3),
    errorRecoveries,
    uniqueTools: more?.size ?? names?.length ?? (firstTool === undefined ? 0 : 1),
    singleThought: steps.length === 1 && typeBits === TYPE_BIT.thought,
  };
}
