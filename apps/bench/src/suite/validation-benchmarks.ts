import { parseTrace, ReasoningTraceSchema, reasoningTraceJsonSchema } from '@knowledgepulse/sdk';
import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import type { BenchmarkFactory } from './run-suite.ts';
import { STEP_COUNTS, traceOf } from './scoring-benchmarks.ts';

/**
 * `parseTrace` beside what it could be made of: the zod schema by itself, without the limits on
 * size; ajv compiled from the JSON Schema; and a check written by hand.
 */
export const validationBenchmarks: BenchmarkFactory = {
  group: 'validation',
  create() {
    const ajv = new Ajv2020({ allErrors: false });
    // The package is CommonJS; under some runtimes its function is one level further down.
    const add = 'default' in addFormats ? addFormats.default : addFormats;
    add(ajv as unknown as Parameters<typeof add>[0]);
    const isTraceByAjv = ajv.compile(reasoningTraceJsonSchema);
    return STEP_COUNTS.flatMap((steps) => {
      const trace = traceOf(steps);
      const common = { group: 'validation', size: steps };
      return [
        { ...common, name: 'parseTrace', run: () => parseTrace(trace) },
        { ...common, name: 'zod alone', run: () => ReasoningTraceSchema.safeParse(trace) },
        { ...common, name: 'ajv', run: () => isTraceByAjv(trace) },
        { ...common, name: 'by hand', run: () => isTraceByHand(trace) },
      ];
    });
  },
};

const CONTEXTS = [
  'https://openknowledgepulse.org/schema/v1',
  'https://knowledgepulse.dev/schema/v1',
];
const STEP_TYPES = ['thought', 'tool_call', 'observation', 'error_recovery'];
const VISIBILITIES = ['private', 'org', 'network'];
const PRIVACY_LEVELS = ['aggregated', 'federated', 'private'];
const DATE_TIME =
  /^\d{4}-(?:0[1-9]|1[0-2])-(?:0[1-9]|[12]\d|3[01])T(?:[01]\d|2[0-3]):[0-5]\d(?::[0-5]\d(?:\.\d+)?)?(?:Z|[+-](?:[01]\d|2[0-3]):?[0-5]\d)$/;

/**
 * Whether a value is a trace, as a person would write it for speed: no list of what is wrong, no
 * limits on size, and days such as 30 February pass. A yardstick for the validation that is shipped,
 * and no substitute for it.
 */
function isTraceByHand(value: unknown): boolean {
  if (!isObject(value)) return false;
  const { metadata, task, steps, outcome } = value;
  return (
    CONTEXTS.includes(value['@context'] as string) &&
    value['@type'] === 'ReasoningTrace' &&
    typeof value.id === 'string' &&
    value.id.startsWith('kp:trace:') &&
    value.id.length > 9 &&
    isOptionalString(value.source_skill) &&
    isMetadata(metadata) &&
    isObject(task) &&
    isText(task.objective) &&
    isOptionalObject(task.input_schema) &&
    Array.isArray(steps) &&
    steps.length > 0 &&
    steps.every(isStep) &&
    isObject(outcome) &&
    typeof outcome.result_summary === 'string' &&
    isShare(outcome.confidence) &&
    isDelta(value.knowledge_graph_delta)
  );
}

function isMetadata(value: unknown): boolean {
  return (
    isObject(value) &&
    typeof value.created_at === 'string' &&
    DATE_TIME.test(value.created_at) &&
    isText(value.task_domain) &&
    typeof value.success === 'boolean' &&
    isShare(value.quality_score) &&
    VISIBILITIES.includes(value.visibility as string) &&
    PRIVACY_LEVELS.includes(value.privacy_level as string) &&
    isOptionalString(value.agent_id) &&
    isOptionalString(value.framework) &&
    (value.validated_by === undefined ||
      (Array.isArray(value.validated_by) &&
        value.validated_by.every((each) => typeof each === 'string')))
  );
}

function isStep(value: unknown): boolean {
  if (!isObject(value)) return false;
  const { step_id, tool, latency_ms } = value;
  return (
    Number.isSafeInteger(step_id) &&
    (step_id as number) >= 0 &&
    STEP_TYPES.includes(value.type as string) &&
    isOptionalString(value.content) &&
    (tool === undefined ||
      (isObject(tool) && typeof tool.name === 'string' && isOptionalString(tool.mcp_server))) &&
    isOptionalObject(value.input) &&
    isOptionalString(value.output_summary) &&
    (latency_ms === undefined || (Number.isFinite(latency_ms) && (latency_ms as number) >= 0))
  );
}

function isDelta(value: unknown): boolean {
  if (value === undefined) return true;
  if (!isObject(value)) return false;
  const { entities, relationships } = value;
  return (
    areAll(entities, (each) => typeof each.name === 'string' && typeof each.type === 'string') &&
    areAll(
      relationships,
      (each) => typeof each.fact === 'string' && typeof each.valid_from === 'string',
    )
  );
}

function areAll(
  value: unknown,
  test: (each: Readonly<Record<string, unknown>>) => boolean,
): boolean {
  if (value === undefined) return true;
  return Array.isArray(value) && value.every((each) => isObject(each) && test(each));
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function isOptionalObject(value: unknown): boolean {
  return value === undefined || isObject(value);
}

function isOptionalString(value: unknown): boolean {
  return value === undefined || typeof value === 'string';
}

function isText(value: unknown): boolean {
  return typeof value === 'string' && value !== '';
}

function isShare(value: unknown): boolean {
  return typeof value === 'number' && value >= 0 && value <= 1;
}
