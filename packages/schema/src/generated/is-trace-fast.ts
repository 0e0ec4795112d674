// Generated from ReasoningTraceSchema by `bun run generate`; a test keeps it current.

/**
 * Whether a value is a trace beyond doubt. False says nothing: zod has to look, which takes
 * longer and knows what is wrong.
 */
export function isTraceFast(value: unknown): boolean {
  if (!isObject(value)) return false;
  const {
    '@context': context,
    '@type': type,
    id,
    source_skill,
    metadata,
    task,
    steps,
    outcome,
    knowledge_graph_delta,
  } = value;
  return (
    (context === 'https://openknowledgepulse.org/schema/v1' || context === 'https://knowledgepulse.dev/schema/v1') &&
    type === 'ReasoningTrace' &&
    typeof id === 'string' && ID.test(id) &&
    (source_skill === undefined || typeof source_skill === 'string') &&
    isMetadata(metadata) &&
    isTask(task) &&
    isArrayOf(steps, 1, isStep) &&
    isOutcome(outcome) &&
    (knowledge_graph_delta === undefined || isKnowledgeGraphDelta(knowledge_graph_delta))
  );
}

function isKnowledgeGraphDelta(value: unknown): boolean {
  if (!isObject(value)) return false;
  const { entities, relationships } = value;
  return (
    (entities === undefined || isArrayOf(entities, 0, isEntity)) &&
    (relationships === undefined || isArrayOf(relationships, 0, isRelationship))
  );
}

export function isRelationship(value: unknown): boolean {
  if (!isObject(value)) return false;
  const { fact, valid_from } = value;
  return (
    typeof fact === 'string' &&
    typeof valid_from === 'string'
  );
}

export function isEntity(value: unknown): boolean {
  if (!isObject(value)) return false;
  const { name, type } = value;
  return (
    typeof name === 'string' &&
    typeof type === 'string'
  );
}

function isOutcome(value: unknown): boolean {
  if (!isObject(value)) return false;
  const { result_summary, confidence } = value;
  return (
    typeof result_summary === 'string' &&
    typeof confidence === 'number' && Number.isFinite(confidence) && confidence >= 0 && confidence <= 1
  );
}

export function isStep(value: unknown): boolean {
  if (!isObject(value)) return false;
  const { step_id, type, content, tool, input, output_summary, latency_ms } = value;
  return (
    typeof step_id === 'number' && Number.isInteger(step_id) && step_id >= 0 && step_id <= 9007199254740991 &&
    (type === 'thought' || type === 'tool_call' || type === 'observation' || type === 'error_recovery') &&
    (content === undefined || typeof content === 'string') &&
    (tool === undefined || isTool(tool)) &&
    (input === undefined || isRecord(input)) &&
    (output_summary === undefined || typeof output_summary === 'string') &&
    (latency_ms === undefined || typeof latency_ms === 'number' && Number.isFinite(latency_ms) && latency_ms >= 0)
  );
}

function isTool(value: unknown): boolean {
  if (!isObject(value)) return false;
  const { name, mcp_server } = value;
  return (
    typeof name === 'string' &&
    (mcp_server === undefined || typeof mcp_server === 'string')
  );
}

function isTask(value: unknown): boolean {
  if (!isObject(value)) return false;
  const { objective, input_schema } = value;
  return (
    typeof objective === 'string' && objective.length >= 1 &&
    (input_schema === undefined || isRecord(input_schema))
  );
}

function isMetadata(value: unknown): boolean {
  if (!isObject(value)) return false;
  const {
    created_at,
    task_domain,
    success,
    quality_score,
    visibility,
    privacy_level,
    agent_id,
    framework,
    validated_by,
  } = value;
  return (
    typeof created_at === 'string' && CREATED_AT.test(created_at) &&
    typeof task_domain === 'string' && task_domain.length >= 1 &&
    typeof success === 'boolean' &&
    typeof quality_score === 'number' && Number.isFinite(quality_score) && quality_score >= 0 && quality_score <= 1 &&
    (visibility === 'private' || visibility === 'org' || visibility === 'network') &&
    (privacy_level === 'aggregated' || privacy_level === 'federated' || privacy_level === 'private') &&
    (agent_id === undefined || typeof agent_id === 'string') &&
    (framework === undefined || typeof framework === 'string') &&
    (validated_by === undefined || isArrayOf(validated_by, 0, isText))
  );
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** An object literal, of this realm or another, or one without a prototype: no Map, no Date. */
function isRecord(value: unknown): boolean {
  if (!isObject(value)) return false;
  const prototype: object | null = Object.getPrototypeOf(value);
  if (prototype === Object.prototype || prototype === null) return true;
  return Object.getPrototypeOf(prototype) === null && Object.hasOwn(prototype, 'isPrototypeOf');
}

export function isText(value: unknown): boolean {
  return typeof value === 'string';
}

function isArrayOf(value: unknown, least: number, isItem: (item: unknown) => boolean): boolean {
  if (!Array.isArray(value)) return false;
  const { length } = value;
  if (length < least) return false;
  for (let index = 0; index < length; index++) if (!isItem(value[index])) return false;
  return true;
}

const ID = /^kp:trace:[\s\S]/;
const CREATED_AT = /^(?:(?:\d\d[2468][048]|\d\d[13579][26]|\d\d0[48]|[02468][048]00|[13579][26]00)-02-29|\d{4}-(?:(?:0[13578]|1[02])-(?:0[1-9]|[12]\d|3[01])|(?:0[469]|11)-(?:0[1-9]|[12]\d|30)|02-(?:0[1-9]|1\d|2[0-8])))T(?:[01]\d|2[0-3]):[0-5]\d:[0-5]\d(?:\.\d+)?(?:Z|[+-](?:[01]\d|2[0-3]):[0-5]\d)$/;
