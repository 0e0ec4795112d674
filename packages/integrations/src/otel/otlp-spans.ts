import { type JsonObject, type JsonValue, toJson } from '@kp/importers';
import type { FinishedSpan } from './agent-spans.ts';
import { asText, isObject } from './run/json-values.ts';

/** Spans as OTLP writes them in JSON, which the importers read. */
export function otlpOf(spans: readonly FinishedSpan[]): JsonObject {
  const byScope = new Map<string, FinishedSpan[]>();
  for (const span of spans) byScope.set(span.scope, [...(byScope.get(span.scope) ?? []), span]);
  const scopeSpans = [...byScope].map(
    ([name, of]): JsonObject => ({
      scope: { name },
      spans: of.map(spanOf),
    }),
  );
  return { resourceSpans: [{ resource: { attributes: [] }, scopeSpans }] };
}

function spanOf(span: FinishedSpan): JsonObject {
  const { traceId, spanId, parentSpanId = '', name, kind, status } = span;
  return {
    traceId,
    spanId,
    parentSpanId,
    name,
    // The SDK counts kinds from 0, OTLP from 1.
    kind: kind + 1,
    startTimeUnixNano: nanoseconds(span.startTime),
    endTimeUnixNano: nanoseconds(span.endTime),
    attributes: attributesOf(span.attributes),
    events: span.events.filter(isObject).map((event) => ({
      name: asText(event.name),
      attributes: attributesOf(isObject(event.attributes) ? event.attributes : {}),
    })),
    status: { code: status.code ?? 0, message: status.message ?? '' },
  };
}

function nanoseconds([seconds, rest]: readonly [number, number]): string {
  return String(BigInt(Math.trunc(seconds)) * 1_000_000_000n + BigInt(Math.trunc(rest)));
}

function attributesOf(attributes: Readonly<Record<string, unknown>>): JsonValue[] {
  return Object.entries(attributes).map(([key, value]) => ({
    key,
    value: anyValue(toJson(value) ?? null),
  }));
}

function anyValue(value: JsonValue): JsonObject {
  switch (typeof value) {
    case 'string':
      return { stringValue: value };
    case 'boolean':
      return { boolValue: value };
    case 'number':
      return Number.isInteger(value) ? { intValue: String(value) } : { doubleValue: value };
    default:
      if (Array.isArray(value)) return { arrayValue: { values: value.map(anyValue) } };
      return { stringValue: JSON.stringify(value) };
  }
}
