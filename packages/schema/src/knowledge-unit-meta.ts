import * as z from 'zod';

export const VisibilitySchema = z.enum(['private', 'org', 'network']);
export const PrivacyLevelSchema = z.enum(['aggregated', 'federated', 'private']);

/** Who may see the trace. */
export type Visibility = z.infer<typeof VisibilitySchema>;

/** In which form the trace may leave its owner. */
export type PrivacyLevel = z.infer<typeof PrivacyLevelSchema>;

/**
 * What is known about a trace as a whole. `created_at` is an ISO 8601 date-time with an offset or
 * `Z`; `task_domain` picks the weight profile; `quality_score` is in [0, 1].
 */
export const KnowledgeUnitMetaSchema = z.looseObject({
  created_at: z.iso.datetime({ offset: true }),
  task_domain: z.string().min(1),
  success: z.boolean(),
  quality_score: z.number().min(0).max(1),
  visibility: VisibilitySchema,
  privacy_level: PrivacyLevelSchema,
  agent_id: z.string().optional(),
  framework: z.string().optional(),
  validated_by: z.array(z.string()).optional(),
});

export type KnowledgeUnitMeta = z.infer<typeof KnowledgeUnitMetaSchema>;
