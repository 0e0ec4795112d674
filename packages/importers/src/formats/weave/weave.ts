import { RecordingError } from '../../errors/errors.ts';
import { type DefinedImporter, defineImporter } from '../../importer/define-importer.ts';
import type { RecordedRun, RecordedVerdict } from '../../importer/importer.ts';
import {
  asName,
  asObjects,
  asString,
  isJsonObject,
  type JsonObject,
  type JsonValue,
} from '../../json/json-value.ts';
import { createRunUsage } from '../../messages/run-usage.ts';
import { runOfSpans } from '../../spans/observations.ts';
import { platformConvention, readPlatformSpan } from '../../spans/platform-spans.ts';
import type { Span } from '../../spans/span.ts';

const GROUP = 'weave';
/** Operations that call a model, by the names of Weave's integrations. */
const MODEL =
  /(?:chat\.completions|messages|responses|completions?|generate_content(?:_stream)?)(?:\.(?:async_?)?(?:create|parse|stream|generate))?$|^litellm\.a?completion$/i;

/** Calls of W&B Weave: one per line or in an array. The calls of one trace are one run. */
export const weaveImporter: DefinedImporter = /* @__PURE__ */ defineImporter({
  name: 'weave',
  title: 'W&B Weave calls',
  docs: {
    file: 'one call per line, or an array of calls',
    where: 'Traces → Export (JSONL); `POST /calls/stream_query`',
    thought: 'output of calls of a model',
    toolCall: 'calls of kind `tool` or, if there are none, calls that the model requested',
    error: '`exception`',
    success: '`exception` of the root call',
  },
  samples: () => import('./samples.ts').then(({ samples }) => samples),
  detect(value) {
    const calls = Array.isArray(value) ? value : [value];
    const isOwn = calls.length > 0 && calls.every(isCall);
    return isOwn ? { seen: 'calls with op_name', fit: 'distinct' } : undefined;
  },
  pieceOf: (value) => (isCall(value) ? GROUP : undefined),
  *read(value) {
    const calls = asObjects(Array.isArray(value) ? value : [value]);
    if (calls.length === 0) throw new RecordingError('recording', 'calls of Weave', value);
    for (const [traceId, trace] of Map.groupBy(calls, ({ trace_id }) => asName(trace_id))) {
      yield readTrace(traceId, trace);
    }
  },
});

function isCall(value: JsonValue): boolean {
  if (!isJsonObject(value)) return false;
  const { op_name, trace_id } = value;
  return typeof op_name === 'string' && typeof trace_id === 'string' && 'inputs' in value;
}

function readTrace(traceId: string, calls: readonly JsonObject[]): RecordedRun {
  const run = runOfSpans(
    calls.map((call) => toSpan(call, traceId)),
    platformConvention,
    `trace ${traceId}`,
  );
  const root = calls.find(({ parent_id }) => !parent_id) ?? calls[0] ?? {};
  const usage = createRunUsage();
  // The counts of the root call include those of its children.
  const counted = Object.entries(usageOf(root));
  for (const [, tokens] of counted) usage.addCall(tokens);
  const models = counted.map(([model]) => model);
  const named = calls.map(({ inputs }) => (isJsonObject(inputs) ? inputs.model : undefined));
  const verdicts: RecordedVerdict[] = asString(root.exception)
    ? [{ path: 'exception', value: root.exception ?? null, rank: 'crash' }]
    : [];
  return {
    ...run,
    source: { trace_id: traceId },
    agentId: operationOf(root),
    model: models[0] ?? asString(named.find((model) => typeof model === 'string')),
    verdicts,
    details: { ...run.details, ...usage.read(), user: asString(root.wb_user_id) },
    framework: 'weave',
    record: calls.length === 1 ? (calls[0] ?? null) : [...calls],
  };
}

function usageOf({ summary }: JsonObject): JsonObject {
  return isJsonObject(summary) && isJsonObject(summary.usage) ? summary.usage : {};
}

/** The name in `weave:///entity/project/op/NAME:DIGEST`. */
function operationOf({ op_name }: JsonObject): string {
  return asName(op_name)
    .replace(/^weave:.*\/op\//, '')
    .replace(/:[^:]*$/, '');
}

function toSpan(call: JsonObject, traceId: string): Span {
  const { id, parent_id, started_at, ended_at, inputs, output, exception, attributes } = call;
  const name = operationOf(call);
  const kind = kindOf(attributes);
  const isModel = kind === 'llm' || (kind === undefined && MODEL.test(name));
  return readPlatformSpan({
    traceId,
    spanId: asName(id),
    parentId: asString(parent_id),
    name,
    type: isModel ? 'llm' : kind === 'tool' ? 'tool' : undefined,
    start: started_at,
    end: ended_at,
    input: inputs,
    output: output ?? exception,
    failed: asString(exception) !== undefined,
  });
}

function kindOf(attributes: JsonValue | undefined): string | undefined {
  if (!isJsonObject(attributes)) return undefined;
  const { weave, kind } = attributes;
  return asString((isJsonObject(weave) ? weave.kind : undefined) ?? kind);
}
