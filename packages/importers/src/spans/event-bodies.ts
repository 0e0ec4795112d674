import {
  asName,
  asObjects,
  asString,
  isJsonObject,
  type JsonObject,
  type JsonValue,
  parseEmbedded,
} from '../json/json-value.ts';
import type { Attributes, Span } from './span.ts';

/**
 * The AWS distribution of OpenTelemetry moves messages from a span's attributes into an event with
 * `input.messages` and `output.messages`. Restores the attributes of the generative AI conventions on
 * LangChain's model and tool spans; its other spans repeat those messages.
 */
export function withEventBody(span: Span): Span {
  for (const { attributes } of span.events) {
    const { input, output } = attributes;
    if (!isJsonObject(output) || !Array.isArray(output.messages)) continue;
    const sent = isJsonObject(input) ? asObjects(input.messages) : [];
    const answered = parseEmbedded(asObjects(output.messages)[0]?.content);
    const read = isJsonObject(answered) ? readAnswer(sent, answered) : undefined;
    if (read !== undefined) return { ...span, attributes: { ...span.attributes, ...read } };
  }
  return span;
}

function readAnswer(sent: readonly JsonObject[], answered: JsonObject): Attributes | undefined {
  const { generations, type, name, content, tool_call_id } = answered;
  if (Array.isArray(generations)) {
    const [first] = asObjects(generations.flat());
    const message = isJsonObject(first?.message) ? first.message : {};
    const fields = isJsonObject(message.kwargs) ? message.kwargs : message;
    const answer: JsonObject = {
      role: 'assistant',
      content: first?.text ?? null,
      tool_calls: fields.tool_calls ?? null,
    };
    return {
      'gen_ai.input.messages': JSON.stringify(sent),
      'gen_ai.output.messages': JSON.stringify([answer]),
    };
  }
  if (type !== 'tool' || asString(name) === undefined) return undefined;
  const attributes: Record<string, JsonValue> = {
    'gen_ai.operation.name': 'execute_tool',
    'gen_ai.tool.name': asName(name),
    'gen_ai.tool.call.result': content ?? null,
    'gen_ai.tool.call.arguments': pythonToJson(asName(sent[0]?.content)),
  };
  if (asString(tool_call_id) !== undefined)
    attributes['gen_ai.tool.call.id'] = asName(tool_call_id);
  return attributes;
}

/** Arguments are printed as Python literals, which differ from JSON in these tokens. */
function pythonToJson(text: string): string {
  return text.includes('"') ? text : text.replaceAll("'", '"');
}
