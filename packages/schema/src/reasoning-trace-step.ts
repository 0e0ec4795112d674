import * as z from 'zod';

/** The kinds of step, in the order in which error messages list them. */
export const STEP_TYPES = ['thought', 'tool_call', 'observation', 'error_recovery'] as const;

export const StepTypeSchema = z.enum(STEP_TYPES);

/** What a step is: a thought, a tool call, what came back, or the recovery from an error. */
export type StepType = z.infer<typeof StepTypeSchema>;

const ToolSchema = z.looseObject({
  name: z.string(),
  mcp_server: z.string().optional(),
});

/**
 * One step of a trace. `step_id` is an integer of at least 0, `latency_ms` is in milliseconds and
 * at least 0. Fields that are not listed here are kept.
 */
export const ReasoningTraceStepSchema = z.looseObject({
  step_id: z.int().min(0),
  type: StepTypeSchema,
  content: z.string().optional(),
  tool: ToolSchema.optional(),
  input: z.record(z.string(), z.unknown()).optional(),
  output_summary: z.string().optional(),
  latency_ms: z.number().min(0).optional(),
});

export type ReasoningTraceStep = z.infer<typeof ReasoningTraceStepSchema>;
