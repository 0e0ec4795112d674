import { firstPresent, jsonOrText } from '@kp/foundation';
import type { RecordedVerdict } from '../importer/importer.ts';
import { isJsonObject, type JsonValue, parseEmbedded } from '../json/json-value.ts';
import { asText } from '../messages/content.ts';
import { type ModelCall, type ModelMessage, modelCall } from '../messages/model-message.ts';
import { readMessages } from '../messages/read-messages.ts';
import { readVerdict } from '../outcome/verdict.ts';
import { type Attributes, type Span, type SpanConvention, type SpanEvent, textOf } from './span.ts';
import { unflatten } from './unflatten.ts';

const TOOL_OPERATIONS = new Set(['execute_tool', 'ai.toolCall']);
const TOOL_NAME_KEYS = ['gen_ai.tool.name', 'ai.toolCall.name', 'tool.name'];
const CALL_ID_KEYS = ['gen_ai.tool.call.id', 'ai.toolCall.id'];
const ARGUMENT_KEYS = [
  'gen_ai.tool.call.arguments',
  'gcp.vertex.agent.tool_call_args',
  'ai.toolCall.args',
  'tool_arguments',
  'traceloop.entity.input',
];
const RESULT_KEYS = [
  'gen_ai.tool.call.result',
  'gcp.vertex.agent.tool_response',
  'ai.toolCall.result',
  'tool_response',
  'traceloop.entity.output',
];
/**
 * OpenTelemetry's conventions for generative AI: current (`gen_ai.input.messages`), earlier (message
 * events, `gen_ai.prompt.0.content`), and older vendor keys (Google's ADK, AI SDK, OpenLLMetry).
 *
 * @see https://opentelemetry.io/docs/specs/semconv/gen-ai/
 */
export const genAiConvention: SpanConvention = {
  readModelCall(span) {
    const call = readGenAiMessages(span);
    if (call === undefined) return undefined;
    const responseId = textOf(span.attributes, 'gen_ai.response.id', 'ai.response.id');
    return { ...call, responseId };
  },

  readToolExecution({ name: spanName, attributes, events }) {
    const operation = textOf(attributes, 'gen_ai.operation.name') ?? '';
    const isTool =
      TOOL_OPERATIONS.has(operation) ||
      TOOL_OPERATIONS.has(spanName) ||
      attributes['traceloop.span.kind'] === 'tool' ||
      spanName.startsWith('execute_tool ');
    if (!isTool) return undefined;
    const fromName = spanName.replace(/^execute_tool\s*/, '');
    const name =
      textOf(attributes, ...TOOL_NAME_KEYS, 'traceloop.entity.name') ?? (fromName || undefined);
    if (name === undefined) return undefined;
    const callId = textOf(attributes, ...CALL_ID_KEYS);
    const result =
      firstPresent(attributes, RESULT_KEYS) ?? eventField(events, 'gen_ai.choice', 'message');
    const recorded =
      firstPresent(attributes, ARGUMENT_KEYS) ??
      eventField(events, 'gen_ai.tool.message', 'content');
    return {
      name,
      callId,
      arguments: parseEmbedded(recorded) ?? null,
      result: result === undefined ? undefined : asText(readBlocks(result)),
    };
  },

  readVerdicts: ({ events }) =>
    events
      .filter(({ name }) => name === 'gen_ai.evaluation.result')
      .flatMap(({ attributes }) => readEvaluation(attributes)),
};

/** Reads an evaluation by its label or, if that is not a verdict, its score. Ignores our own scores. */
function readEvaluation(attributes: Attributes): RecordedVerdict[] {
  const name = textOf(attributes, 'gen_ai.evaluation.name') ?? 'evaluation';
  if (name.startsWith('knowledgepulse')) return [];
  const label =
    attributes['gen_ai.evaluation.score.label'] ?? attributes['gen_ai.evaluation.label'];
  const score = attributes['gen_ai.evaluation.score.value'];
  return verdictOf(`gen_ai.evaluation.${name}`, label, score);
}

/** The label if it is a verdict, otherwise the score. */
export function verdictOf(
  path: string,
  label: JsonValue | undefined,
  score: JsonValue | undefined,
): RecordedVerdict[] {
  const value = readVerdict(label) === undefined ? score : label;
  return value === undefined || value === null ? [] : [{ path, value }];
}

/** Unwraps a result that is the JSON of text or text blocks; returns other results unchanged. */
function readBlocks(result: JsonValue): JsonValue {
  const parsed = parseEmbedded(result) ?? result;
  if (typeof parsed === 'string' && /^".*"$/s.test(parsed)) return jsonOrText(parsed) as JsonValue;
  const areBlocks =
    Array.isArray(parsed) && parsed.every((block) => typeof fieldOf(block, 'text') === 'string');
  return areBlocks ? parsed : result;
}

function eventField(
  events: readonly SpanEvent[],
  name: string,
  field: string,
): JsonValue | undefined {
  return events.find((event) => event.name === name)?.attributes[field];
}

/** Message events of earlier versions of the conventions. */
const MESSAGE_EVENT = /^gen_ai\.(system|user|assistant|tool)\.message$/;
const DETAILS_EVENT = 'gen_ai.client.inference.operation.details';

/** Reads the messages of a model call in the latest convention that the span uses. */
function readGenAiMessages(span: Span): ModelCall | undefined {
  return (
    readMessageAttributes(span.attributes) ??
    readDetailsEvent(span) ??
    readMessageEvents(span) ??
    readIndexedAttributes(span.attributes) ??
    readWholeAttributes(span) ??
    readVendorAttributes(span.attributes)
  );
}

/** A field of an object; undefined for any other value. */
function fieldOf(value: JsonValue | undefined, field: string): JsonValue | undefined {
  return isJsonObject(value) ? value[field] : undefined;
}

function readMessageAttributes(attributes: Attributes): ModelCall | undefined {
  const inputs = parseEmbedded(attributes['gen_ai.input.messages']);
  const outputs = parseEmbedded(attributes['gen_ai.output.messages']);
  return modelCall(readMessages(inputs), readMessages(outputs));
}

function readDetailsEvent({ events }: Span): ModelCall | undefined {
  const details = events.find(({ name }) => name === DETAILS_EVENT);
  return details === undefined ? undefined : readMessageAttributes(details.attributes);
}

function readMessageEvents({ events }: Span): ModelCall | undefined {
  const inputs: ModelMessage[] = [];
  const outputs: ModelMessage[] = [];
  for (const { name, attributes } of events) {
    const isChoice = name === 'gen_ai.choice';
    const role = isChoice ? 'assistant' : MESSAGE_EVENT.exec(name)?.[1];
    if (role === undefined) continue;
    for (const message of readMessages({ role, ...parseAll(attributes) })) {
      (isChoice ? outputs : inputs).push(message);
    }
  }
  return modelCall(inputs, outputs);
}

function readIndexedAttributes(attributes: Attributes): ModelCall | undefined {
  const inputs = readMessages(unflatten(attributes, 'gen_ai.prompt'));
  const outputs = readMessages(unflatten(attributes, 'gen_ai.completion'));
  return modelCall(inputs, outputs);
}

/** Reads a prompt and completion in one attribute each, on the span or on events. */
function readWholeAttributes({ attributes, events }: Span): ModelCall | undefined {
  const recorded = events.filter(({ name }) =>
    /^gen_ai\.content\.(?:prompt|completion)$/.test(name),
  );
  const all = Object.assign(
    {},
    attributes,
    ...recorded.map((event) => event.attributes),
  ) as Attributes;
  const prompt = parseEmbedded(all['gen_ai.prompt']);
  const completion = parseEmbedded(all['gen_ai.completion']);
  return modelCall(readWhole(prompt, 'user'), readWhole(completion, 'assistant'));
}

function readWhole(value: JsonValue | undefined, role: string): ModelMessage[] {
  if (typeof value === 'string') return [{ role, parts: [{ kind: 'text', text: value }] }];
  return readMessages(fieldOf(value, 'messages') ?? value);
}

function readVendorAttributes(attributes: Attributes): ModelCall | undefined {
  const request = parseEmbedded(attributes['gcp.vertex.agent.llm_request']);
  const response = parseEmbedded(attributes['gcp.vertex.agent.llm_response']);
  if (request !== undefined || response !== undefined) {
    const contents = fieldOf(request, 'contents');
    return modelCall(readMessages(contents), readMessages(fieldOf(response, 'content')));
  }
  const asked = parseEmbedded(attributes['ai.prompt']);
  const prompt =
    parseEmbedded(attributes['ai.prompt.messages']) ??
    fieldOf(asked, 'messages') ??
    toUserMessage(fieldOf(asked, 'prompt'));
  const text = attributes['ai.response.text'] ?? attributes['ai.response.object'];
  const calls = parseEmbedded(attributes['ai.response.toolCalls']);
  if (prompt === undefined && text === undefined && calls === undefined) return undefined;
  const answer = { role: 'assistant', content: text ?? null, tool_calls: calls ?? null };
  return modelCall(readMessages(prompt), readMessages(answer));
}

function toUserMessage(prompt: JsonValue | undefined): JsonValue | undefined {
  return typeof prompt === 'string' ? { role: 'user', content: prompt } : prompt;
}

function parseAll(attributes: Attributes): Record<string, JsonValue> {
  return Object.fromEntries(
    Object.entries(attributes).map(([key, value]) => [key, parseEmbedded(value) ?? null]),
  );
}
