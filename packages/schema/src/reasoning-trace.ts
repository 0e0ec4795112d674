import * as z from 'zod/v4';

/** The JSON-LD context that new traces carry. */
export const KP_CONTEXT = 'https://openknowledgepulse.org/schema/v1';

/** An earlier address of the same context. It is accepted and kept unchanged. */
export const KP_CONTEXT_ALIAS = 'https://knowledgepulse.dev/schema/v1';

/*
 * Each schema is the result of a function marked pure, so that a bundler can omit it, and zod with it,
 * from a program that does not use it.
 */

/** Who may see a trace. */
export const VisibilitySchema = /* @__PURE__ */ (() => z.enum(['private', 'org', 'network']))();
/** The form in which a trace may leave its owner. */
export const PrivacyLevelSchema = /* @__PURE__ */ (() =>
  z.enum(['aggregated', 'federated', 'private']))();

/** Who may see the trace. */
export type Visibility = z.infer<typeof VisibilitySchema>;

/** The form in which the trace may leave its owner. */
export type PrivacyLevel = z.infer<typeof PrivacyLevelSchema>;

/** Our own pattern, because zod's definition of a date-time changed between versions. */
const DATE_TIME: RegExp = /* @__PURE__ */ new RegExp(
  '^(?:(?:\\d\\d[2468][048]|\\d\\d[13579][26]|\\d\\d0[48]|[02468][048]00|[13579][26]00)-02-29|' +
    '\\d{4}-(?:(?:0[13578]|1[02])-(?:0[1-9]|[12]\\d|3[01])|(?:0[469]|11)-(?:0[1-9]|[12]\\d|30)|' +
    '02-(?:0[1-9]|1\\d|2[0-8])))' +
    'T(?:[01]\\d|2[0-3]):[0-5]\\d:[0-5]\\d(?:\\.\\d+)?(?:Z|[+-](?:[01]\\d|2[0-3]):[0-5]\\d)$',
);

/**
 * The metadata of a trace. `created_at` is an ISO 8601 date-time with an offset or `Z`; `task_domain`
 * selects the weight profile; `quality_score` is in [0, 1].
 */
export const KnowledgeUnitMetaSchema = /* @__PURE__ */ (() =>
  z.looseObject({
    created_at: z.string().regex(DATE_TIME, {
      error: 'expected an ISO 8601 date-time with Z or an offset, such as 2026-01-15T10:00:00Z',
    }),
    task_domain: z.string().min(1),
    success: z.boolean(),
    quality_score: z.number().min(0).max(1),
    visibility: VisibilitySchema,
    privacy_level: PrivacyLevelSchema,
    agent_id: z.string().optional(),
    framework: z.string().optional(),
    validated_by: z.array(z.string()).optional(),
  }))();

/** The metadata of a trace; see {@link KnowledgeUnitMetaSchema}. */
export type KnowledgeUnitMeta = z.infer<typeof KnowledgeUnitMetaSchema>;

/** The types of steps, in the order of error messages. */
export const STEP_TYPES = ['thought', 'tool_call', 'observation', 'error_recovery'] as const;

/** The types of steps. */
export const StepTypeSchema = /* @__PURE__ */ (() => z.enum(STEP_TYPES))();

/** The type of a step: a thought, a tool call, an observation, or a recovery from an error. */
export type StepType = z.infer<typeof StepTypeSchema>;

/**
 * A step of a trace. `step_id` is an integer of at least 0; `latency_ms` is in milliseconds, at least 0.
 * Unknown fields are kept.
 */
export const ReasoningTraceStepSchema = /* @__PURE__ */ (() =>
  z.looseObject({
    step_id: z.int().min(0),
    type: StepTypeSchema,
    content: z.string().optional(),
    tool: z.looseObject({ name: z.string(), mcp_server: z.string().optional() }).optional(),
    input: z.record(z.string(), z.unknown()).optional(),
    output_summary: z.string().optional(),
    latency_ms: z.number().min(0).optional(),
  }))();

/** A step of a trace; see {@link ReasoningTraceStepSchema}. */
export type ReasoningTraceStep = z.infer<typeof ReasoningTraceStepSchema>;

/**
 * A recorded run of an agent. All objects accept and keep unknown fields.
 */
export const ReasoningTraceSchema = /* @__PURE__ */ (() =>
  z.looseObject({
    '@context': z.enum([KP_CONTEXT, KP_CONTEXT_ALIAS]),
    '@type': z.literal('ReasoningTrace'),
    id: z.string().regex(/^kp:trace:[\s\S]/, {
      error: 'expected text that starts with kp:trace: and continues',
    }),
    source_skill: z.string().optional(),
    metadata: KnowledgeUnitMetaSchema,
    task: z.looseObject({
      objective: z.string().min(1),
      input_schema: z.record(z.string(), z.unknown()).optional(),
    }),
    steps: z.array(ReasoningTraceStepSchema).min(1),
    outcome: z.looseObject({
      result_summary: z.string(),
      confidence: z.number().min(0).max(1),
    }),
    knowledge_graph_delta: z
      .looseObject({
        entities: z.array(z.looseObject({ name: z.string(), type: z.string() })).optional(),
        relationships: z
          .array(z.looseObject({ fact: z.string(), valid_from: z.string() }))
          .optional(),
      })
      .optional(),
  }))();

/** A recorded run of an agent; see {@link ReasoningTraceSchema}. */
export type ReasoningTrace = z.infer<typeof ReasoningTraceSchema>;
