import type { JsonValue } from '../json/json-value.ts';
import { fieldOf, readGenAiMessages } from './gen-ai-messages.ts';
import { asText } from './message-parts.ts';
import {
  type Attributes,
  parseAttribute,
  type SpanConvention,
  type SpanEvent,
  textOf,
} from './span.ts';

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
 * OpenTelemetry's conventions for generative AI, the current ones (`gen_ai.input.messages`), the
 * earlier ones (message events, `gen_ai.prompt.0.content`), and the keys of vendors that predate
 * them (Google's agent kit, AI SDK, OpenLLMetry).
 *
 * @see https://opentelemetry.io/docs/specs/semconv/gen-ai/
 */
export const genAiConvention: SpanConvention = {
  readModelCall(span) {
    const call = readGenAiMessages(span);
    if (call === undefined) return undefined;
    const responseId = textOf(span.attributes, 'gen_ai.response.id', 'ai.response.id');
    return { ...call, ...(responseId === undefined ? {} : { responseId }) };
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
      firstOf(attributes, RESULT_KEYS) ?? eventField(events, 'gen_ai.choice', 'message');
    const recorded =
      firstOf(attributes, ARGUMENT_KEYS) ?? eventField(events, 'gen_ai.tool.message', 'content');
    return {
      name,
      ...(callId === undefined ? {} : { callId }),
      arguments: parseAttribute(recorded) ?? null,
      ...(result === undefined ? {} : { result: asText(readBlocks(result)) }),
    };
  },

  readSuccess({ events }) {
    const verdicts = events
      .filter(({ name }) => name === 'gen_ai.evaluation.result')
      .map(({ attributes }) => readVerdict(attributes));
    const known = verdicts.filter((verdict) => verdict !== undefined);
    return known.length === 0 ? undefined : known.every((verdict) => verdict);
  },
};

/** A verdict by its label or, where that says nothing, by a score of 1 or 0. */
export function readVerdict(attributes: Attributes): boolean | undefined {
  const label = textOf(attributes, 'gen_ai.evaluation.score.label', 'label')?.toLowerCase();
  if (label !== undefined && /^(?:pass(?:ed)?|correct|success(?:ful)?|true|yes)$/.test(label))
    return true;
  if (label !== undefined && /^(?:fail(?:ed|ure)?|incorrect|false|no)$/.test(label)) return false;
  const value = attributes['gen_ai.evaluation.score.value'] ?? attributes.score;
  return typeof value === 'number' ? value === 1 : undefined;
}

/** A result that is the JSON of blocks of text is their text; any other stays as recorded. */
function readBlocks(result: JsonValue): JsonValue {
  const parsed = parseAttribute(result);
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

function firstOf(attributes: Attributes, keys: readonly string[]): JsonValue | undefined {
  return keys.map((key) => attributes[key]).find((value) => value !== undefined && value !== null);
}
