import {
  asName,
  asObjects,
  isJsonObject,
  type JsonObject,
  type JsonValue,
} from '../json/json-value.ts';
import type { Attributes, Span, SpanEvent } from './span.ts';

/** Attributes as OTLP JSON writes them: a list of keys and typed values. */
export function readKeyValues(list: JsonValue | undefined): Attributes {
  return Object.fromEntries(
    asObjects(list).map(({ key, value }) => [asName(key), readAnyValue(value)]),
  );
}

/** A resource has some dozens of attributes, and each of its spans gets a copy of them. */
const MOST_SHARED = 100;

/** By which OTLP says how many attributes there were besides. */
export const DROPPED = 'dropped_attributes_count';

/**
 * The attributes that all spans of a resource share: of more than any has, the first hundred, and how
 * many were dropped.
 */
export function sharedAttributes(attributes: Attributes): Attributes {
  const entries = Object.entries(attributes);
  const dropped = entries.splice(MOST_SHARED).length;
  return dropped ? { ...Object.fromEntries(entries), [DROPPED]: dropped } : attributes;
}

/**
 * A typed value of OTLP JSON, `{stringValue: "x"}`, as the value itself.
 *
 * @see opentelemetry-proto, common/v1/common.proto, message AnyValue.
 */
function readAnyValue(value: JsonValue | undefined): JsonValue {
  if (!isJsonObject(value)) return value ?? null;
  const [[kind, inner] = ['', null]] = Object.entries(value);
  switch (kind.replaceAll('_', '').toLowerCase()) {
    case 'intvalue':
    case 'doublevalue':
      return typeof inner === 'string' || typeof inner === 'number' ? Number(inner) : null;
    case 'arrayvalue':
      return listIn(inner).map(readAnyValue);
    case 'kvlistvalue':
      return { ...readKeyValues(listIn(inner)) };
    default:
      return inner;
  }
}

/** The first of some fields that a record has, in camel case or in snake case. */
export function fieldIn(record: JsonObject, ...names: readonly string[]): JsonValue | undefined {
  for (const name of names) {
    const value = record[name] ?? record[inSnakeCase(name)];
    if (value !== undefined) return value;
  }
  return undefined;
}

/** Of the few names of fields that are asked for, each for every value of a recording. */
const snakeCase = new Map<string, string>();

function inSnakeCase(name: string): string {
  let snake = snakeCase.get(name);
  if (snake === undefined) {
    snake = name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
    snakeCase.set(name, snake);
  }
  return snake;
}

function listIn(value: JsonValue): JsonValue[] {
  const values = isJsonObject(value) ? value.values : undefined;
  return Array.isArray(values) ? values : [];
}

/** A log record that is an event of a span. */
interface LoggedEvent {
  readonly traceId: string;
  readonly spanId: string;
  readonly event: SpanEvent;
}

/** Whether a value holds log records in OTLP JSON. */
export function holdsLogs(value: JsonObject): boolean {
  return Array.isArray(fieldIn(value, 'resourceLogs'));
}

/**
 * Gives spans the events that were exported as log records. A record that names a trace but no
 * span belongs to the trace's one call of a model; where there are several it cannot be placed.
 */
export function attachLogs(spans: readonly Span[], value: JsonValue): Span[] {
  const logged = readLogs(value);
  if (logged.length === 0) return [...spans];
  const modelSpans = Map.groupBy(spans.filter(callsModel), ({ traceId }) => traceId);
  const bySpan = Map.groupBy(logged, ({ traceId, spanId }) => {
    const [only, ...others] = spanId === '' ? (modelSpans.get(traceId) ?? []) : [];
    return only !== undefined && others.length === 0 ? only.spanId : spanId;
  });
  return spans.map((span) => {
    const events = bySpan.get(span.spanId)?.map(({ event }) => event) ?? [];
    return events.length === 0 ? span : { ...span, events: [...span.events, ...events] };
  });
}

function callsModel({ attributes }: Span): boolean {
  return 'gen_ai.request.model' in attributes;
}

function readLogs(value: JsonValue): LoggedEvent[] {
  if (Array.isArray(value)) return value.flatMap(readLogs);
  if (!isJsonObject(value)) return [];
  return asObjects(fieldIn(value, 'resourceLogs'))
    .flatMap((resource) => asObjects(fieldIn(resource, 'scopeLogs')))
    .flatMap((scope) => asObjects(fieldIn(scope, 'logRecords')))
    .map(readLog);
}

function readLog(record: JsonObject): LoggedEvent {
  const attributes = readKeyValues(record.attributes);
  const body = readAnyValue(record.body);
  const name =
    fieldIn(record, 'eventName') ?? attributes['event.name'] ?? attributes['otel.event.name'];
  return {
    traceId: asName(fieldIn(record, 'traceId')),
    spanId: asName(fieldIn(record, 'spanId')),
    event: {
      name: asName(name),
      attributes: { ...attributes, ...(isJsonObject(body) ? body : {}) },
    },
  };
}
