import * as z from 'zod';
import { KP_CONTEXT, KP_CONTEXT_ALIAS } from './context.ts';
import { KnowledgeUnitMetaSchema } from './knowledge-unit-meta.ts';
import { ReasoningTraceStepSchema } from './reasoning-trace-step.ts';

const KnowledgeGraphDeltaSchema = z.looseObject({
  entities: z.array(z.looseObject({ name: z.string(), type: z.string() })).optional(),
  relationships: z.array(z.looseObject({ fact: z.string(), valid_from: z.string() })).optional(),
});

/**
 * A recorded run of an agent. Every object in it is open: fields that are not listed are kept,
 * neither dropped nor refused.
 */
export const ReasoningTraceSchema = z.looseObject({
  '@context': z.enum([KP_CONTEXT, KP_CONTEXT_ALIAS]),
  '@type': z.literal('ReasoningTrace'),
  id: z.string().regex(/^kp:trace:[\s\S]/),
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
  knowledge_graph_delta: KnowledgeGraphDeltaSchema.optional(),
});

export type ReasoningTrace = z.infer<typeof ReasoningTraceSchema>;
