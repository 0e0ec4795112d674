export { KP_CONTEXT, KP_CONTEXT_ALIAS } from './context.ts';
export { TraceLimitsError, TraceValidationError } from './errors.ts';
export { reasoningTraceJsonSchema } from './generated/json-schema.ts';
export type { TraceIssue } from './issue.ts';
export {
  type KnowledgeUnitMeta,
  KnowledgeUnitMetaSchema,
  type PrivacyLevel,
  PrivacyLevelSchema,
  type Visibility,
  VisibilitySchema,
} from './knowledge-unit-meta.ts';
export { DEFAULT_TRACE_LIMITS, type TraceLimits } from './limits.ts';
export {
  type ParseTraceOptions,
  parseTrace,
  type SafeParseTraceResult,
  safeParseTrace,
} from './parse.ts';
export { type ReasoningTrace, ReasoningTraceSchema } from './reasoning-trace.ts';
export {
  type ReasoningTraceStep,
  ReasoningTraceStepSchema,
  STEP_TYPES,
  type StepType,
  StepTypeSchema,
} from './reasoning-trace-step.ts';
