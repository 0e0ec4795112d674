import {
  openaiResponsesImporter,
  type RecordedRun,
  type RecordedStep,
  toJson,
} from '@kp/importers';
import type { ReadRun } from '../run/finished-run.ts';
import { asText, isObject, toolCallStep } from '../run/json-values.ts';
import { createUsageCount, type UsageCount } from '../run/run-details.ts';
import { endingOfText, errorStep, type RunEnding } from '../run/run-ending.ts';
import { type AgentsSpan, errorInOutput } from './spans.ts';

/** The start or end of a span. Events are in the order in which the SDK reported them. */
export interface SpanEvent {
  readonly kind: 'start' | 'end';
  readonly span: AgentsSpan;
}

/** Types of spans that carry no information. */
const SILENT = new Set([
  'agent',
  'task',
  'turn',
  'guardrail',
  'mcp_tools',
  'custom',
  'speech',
  'speech_group',
  'transcription',
]);

/**
 * Reads the run of a trace. A tool call is placed at the start of its span and the result at its end, so
 * parallel calls, and the steps of an agent used as a tool, keep their order.
 */
export function readTrace(traceId: string, events: readonly SpanEvent[]): ReadRun {
  const executed = new Set(events.flatMap(({ span }) => executedName(span) ?? []));
  const omitted: Record<string, number> = {};
  const inputs = modelInputs(events);
  const steps = events.flatMap((event) => stepsOf(event, executed, inputs, omitted));
  const models = events.filter(({ kind, span }) => kind === 'end' && isModelSpan(span));
  const first = models[0]?.span.data;
  const run: RecordedRun = {
    source: { trace: traceId },
    objective: lastQuestion(first?._input ?? first?.input),
    createdAt: events[0]?.span.startedAt,
    model: models.map(({ span }) => modelOf(span)).find((name) => name !== undefined),
    framework: 'openai-agents',
    details: usageOf(events).read(),
    steps,
    omitted,
    record: toJson(events.flatMap(({ kind, span }) => (kind === 'end' ? span.data : []))) ?? null,
  };
  return { format: 'openai-agents', run, ending: endingOfEvents(events) };
}

/** Sums the model usage per turn, or per model call in earlier versions. */
function usageOf(events: readonly SpanEvent[]): UsageCount {
  const usage = createUsageCount();
  const ended = events.filter(({ kind }) => kind === 'end').map(({ span }) => span);
  const turns = ended.filter(({ type, data }) => type === 'turn' && data.usage !== undefined);
  for (const { data } of turns.length > 0 ? turns : ended.filter(isModelSpan)) {
    usage.add(isObject(data._response) ? data._response.usage : data.usage);
  }
  return usage;
}

/** Whether a trace contains a step or a failure to score. */
export function isWorthScoring(events: readonly SpanEvent[]): boolean {
  return events.some(({ span }) => !SILENT.has(span.type) || span.error !== undefined);
}

/** The run failed if its last root span did. The workflow may have caught errors of earlier ones. */
function endingOfEvents(events: readonly SpanEvent[]): RunEnding | undefined {
  const roots = events.filter(({ kind, span }) => kind === 'end' && span.isRoot);
  const error = roots.at(-1)?.span.error;
  if (error !== undefined) return endingOfText(error);
  return isAborted(events) ? ABORTED : undefined;
}

const ABORTED: RunEnding = {
  kind: 'aborted',
  reason: 'The last call of the model ended without an answer.',
  isAssumed: true,
};

/** Whether a stream was aborted: it ends without an error, and its last turn lacks the usual usage data. */
function isAborted(events: readonly SpanEvent[]): boolean {
  const turns = events.filter(({ kind, span }) => kind === 'end' && span.type === 'turn');
  const last = turns.at(-1)?.span;
  if (last === undefined || last.data.usage !== undefined) return false;
  const hasCalls = events.some(
    ({ span }) => span.parentId === last.spanId && span.type === 'function',
  );
  return !hasCalls && turns.some(({ span }) => span.data.usage !== undefined);
}

/** Whether the model requested a tool that was not called, so the run waits for an approval. */
export function isWaiting(events: readonly SpanEvent[]): boolean {
  const last = events.findLastIndex(({ kind, span }) => kind === 'end' && isModelSpan(span));
  const answer = events[last]?.span;
  if (answer === undefined) return false;
  const called = new Set(events.slice(last).flatMap(({ span }) => executedName(span) ?? []));
  return answerItems(answer).some(
    (item) => isObject(item) && item.type === 'function_call' && !called.has(asText(item.name)),
  );
}

function isModelSpan({ type }: AgentsSpan): boolean {
  return type === 'response' || type === 'generation';
}

function executedName({ type, data }: AgentsSpan): string | undefined {
  if (type === 'function') return asText(data.name);
  return type === 'handoff' ? handoffTool(data) : undefined;
}

/** Returns the name of the tool that the SDK gives a model for a handoff. */
function handoffTool({ to_agent }: AgentsSpan['data']): string {
  return `transfer_to_${asText(to_agent).replaceAll(/\s+/g, '_')}`;
}

function stepsOf(
  { kind, span }: SpanEvent,
  executed: ReadonlySet<string>,
  inputs: ReadonlyMap<string, unknown>,
  omitted: Record<string, number>,
): RecordedStep[] {
  const { type, error, isRoot } = span;
  if (type === 'function') return kind === 'start' ? [callStep(span, inputs)] : [resultStep(span)];
  if (kind === 'start') return [];
  if (isModelSpan(span)) return answerSteps(span, executed, omitted);
  if (type === 'handoff') return handoffSteps(span);
  if (isRoot && error !== undefined) return [errorStep(error, 'model')];
  if (!SILENT.has(type)) omitted[type] = (omitted[type] ?? 0) + 1;
  return [];
}

function callStep(
  { spanId, data }: AgentsSpan,
  inputs: ReadonlyMap<string, unknown>,
): RecordedStep {
  return toolCallStep(data.name, data.input || inputs.get(spanId), spanId);
}

/**
 * Maps ids of tool spans to the inputs that the model requested, because a span with invalid input does not
 * record it. Calls of one tool start in the order in which the model requested them.
 */
function modelInputs(events: readonly SpanEvent[]): Map<string, unknown> {
  const asked: Readonly<Record<string, unknown>>[] = [];
  const inputs = new Map<string, unknown>();
  for (const { kind, span } of events) {
    if (kind === 'end' && isModelSpan(span)) asked.push(...answerItems(span).filter(isObject));
    else if (kind === 'start' && span.type === 'function') {
      const place = asked.findIndex(
        (item) => item.type === 'function_call' && item.name === span.data.name,
      );
      if (place !== -1) inputs.set(span.spanId, asked.splice(place, 1)[0]?.arguments);
    }
  }
  return inputs;
}

/** The result that the agent saw. A failed tool has an output too unless its error ended the run. */
function resultStep({ spanId, data, error }: AgentsSpan): RecordedStep {
  const output = asText(data.output);
  return {
    kind: 'observation',
    callId: spanId,
    content: error !== undefined && output === '' ? error : output,
    error: error === undefined ? errorInOutput(output) : 'flag',
  };
}

function handoffSteps(span: AgentsSpan): RecordedStep[] {
  const { spanId, data, error } = span;
  const call = toolCallStep(handoffTool(data), undefined, spanId);
  const content = error ?? JSON.stringify({ assistant: asText(data.to_agent) });
  const sign = error === undefined ? undefined : 'flag';
  return [call, { kind: 'observation', callId: spanId, content, error: sign }];
}

/** Returns a model's answer as items of the Responses API. */
function answerItems({ type, data }: AgentsSpan): unknown[] {
  const response = type === 'response' && isObject(data._response) ? data._response : data;
  const output = Array.isArray(response.output) ? response.output : [];
  return output.flatMap((item) => chatItems(item) ?? [item]);
}

/** Returns the items of a chat completion, which OpenAI's chat models record. */
function chatItems(completion: unknown): unknown[] | undefined {
  const [choice]: unknown[] =
    isObject(completion) && Array.isArray(completion.choices) ? completion.choices : [];
  const message = isObject(choice) ? choice.message : undefined;
  if (!isObject(message)) return undefined;
  const calls: unknown[] = Array.isArray(message.tool_calls) ? message.tool_calls : [];
  const said = { type: 'message', role: 'assistant', content: asText(message.content ?? '') };
  return [
    ...(said.content === '' ? [] : [said]),
    ...calls.filter(isObject).map(({ id, function: called }) => ({
      type: 'function_call',
      call_id: id,
      name: isObject(called) ? called.name : undefined,
      arguments: isObject(called) ? called.arguments : undefined,
    })),
  ];
}

/** Returns the steps of a model's answer. Tool calls with spans are placed where the spans started. */
function answerSteps(
  span: AgentsSpan,
  executed: ReadonlySet<string>,
  omitted: Record<string, number>,
): RecordedStep[] {
  const items = toJson(answerItems(span)) ?? [];
  const steps: RecordedStep[] = [];
  for (const run of openaiResponsesImporter.read(items)) {
    if (run instanceof Error) continue;
    for (const step of run.steps) steps.push(step);
    for (const [kind, amount] of Object.entries(run.omitted ?? {})) {
      omitted[kind] = (omitted[kind] ?? 0) + amount;
    }
  }
  return steps.filter((step) => step.kind !== 'tool_call' || !executed.has(step.name));
}

function modelOf({ data }: AgentsSpan): string | undefined {
  const response = isObject(data._response) ? data._response : {};
  const name = response.model ?? data.model;
  return typeof name === 'string' ? name : undefined;
}

/** Returns the user's last message before the first model call. Earlier turns are context. */
function lastQuestion(input: unknown): string | undefined {
  if (typeof input === 'string') return input;
  const items = Array.isArray(input) ? input : [];
  const question: unknown = items.findLast((item) => isObject(item) && item.role === 'user');
  if (!isObject(question)) return undefined;
  const { content } = question;
  if (typeof content === 'string') return content;
  const parts = Array.isArray(content) ? content : [];
  const texts = parts.flatMap((part) =>
    isObject(part) && typeof part.text === 'string' ? part.text : [],
  );
  return texts.length === 0 ? undefined : texts.join('\n');
}
