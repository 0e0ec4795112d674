import type { JsonValue } from '../json/json-value.ts';
import { unflatten } from './flattened-messages.ts';
import { readMessages } from './message-parts.ts';
import {
  type Attributes,
  type ModelCall,
  modelCall,
  parseAttribute,
  type Span,
  type SpanMessage,
} from './span.ts';

/** Events that were the messages before these became attributes. */
const MESSAGE_EVENT = /^gen_ai\.(system|user|assistant|tool)\.message$/;
const DETAILS_EVENT = 'gen_ai.client.inference.operation.details';

/** The messages of a model's call by the conventions of any time: the latest that a span has. */
export function readGenAiMessages(span: Span): ModelCall | undefined {
  return (
    readMessageAttributes(span.attributes) ??
    readDetailsEvent(span) ??
    readMessageEvents(span) ??
    readIndexedAttributes(span.attributes) ??
    readWholeAttributes(span) ??
    readVendorAttributes(span.attributes)
  );
}

/** A field of an object; undefined of anything else. */
export function fieldOf(value: JsonValue | undefined, field: string): JsonValue | undefined {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
    ? value[field]
    : undefined;
}

function readMessageAttributes(attributes: Attributes): ModelCall | undefined {
  const inputs = parseAttribute(attributes['gen_ai.input.messages']);
  const outputs = parseAttribute(attributes['gen_ai.output.messages']);
  return modelCall(readMessages(inputs), readMessages(outputs));
}

function readDetailsEvent({ events }: Span): ModelCall | undefined {
  const details = events.find(({ name }) => name === DETAILS_EVENT);
  return details === undefined ? undefined : readMessageAttributes(details.attributes);
}

function readMessageEvents({ events }: Span): ModelCall | undefined {
  const inputs: SpanMessage[] = [];
  const outputs: SpanMessage[] = [];
  for (const { name, attributes } of events) {
    const role = MESSAGE_EVENT.exec(name)?.[1];
    if (role !== undefined) inputs.push(...readMessages({ role, ...parseAll(attributes) }));
    if (name === 'gen_ai.choice')
      outputs.push(...readMessages({ role: 'assistant', ...parseAll(attributes) }));
  }
  return modelCall(inputs, outputs);
}

function readIndexedAttributes(attributes: Attributes): ModelCall | undefined {
  const inputs = readMessages(unflatten(attributes, 'gen_ai.prompt'));
  const outputs = readMessages(unflatten(attributes, 'gen_ai.completion'));
  return modelCall(inputs, outputs);
}

/** The prompt and the completion each in one attribute, of the span or of events for them. */
function readWholeAttributes({ attributes, events }: Span): ModelCall | undefined {
  const recorded = events.filter(({ name }) =>
    /^gen_ai\.content\.(?:prompt|completion)$/.test(name),
  );
  const all = Object.assign(
    {},
    attributes,
    ...recorded.map((event) => event.attributes),
  ) as Attributes;
  const prompt = parseAttribute(all['gen_ai.prompt']);
  const completion = parseAttribute(all['gen_ai.completion']);
  return modelCall(readWhole(prompt, 'user'), readWhole(completion, 'assistant'));
}

function readWhole(value: JsonValue | undefined, role: string): SpanMessage[] {
  if (typeof value === 'string') return [{ role, parts: [{ kind: 'text', text: value }] }];
  return readMessages(fieldOf(value, 'messages') ?? value);
}

function readVendorAttributes(attributes: Attributes): ModelCall | undefined {
  const request = parseAttribute(attributes['gcp.vertex.agent.llm_request']);
  const response = parseAttribute(attributes['gcp.vertex.agent.llm_response']);
  if (request !== undefined || response !== undefined) {
    const contents = fieldOf(request, 'contents');
    return modelCall(readMessages(contents), readMessages(fieldOf(response, 'content')));
  }
  const prompt = parseAttribute(attributes['ai.prompt.messages']);
  const text = attributes['ai.response.text'];
  const calls = parseAttribute(attributes['ai.response.toolCalls']);
  if (prompt === undefined && text === undefined && calls === undefined) return undefined;
  const answer = { role: 'assistant', content: text ?? null, tool_calls: calls ?? null };
  return modelCall(readMessages(prompt), readMessages(answer));
}

function parseAll(attributes: Attributes): Record<string, JsonValue> {
  return Object.fromEntries(
    Object.entries(attributes).map(([key, value]) => [key, parseAttribute(value) ?? null]),
  );
}
