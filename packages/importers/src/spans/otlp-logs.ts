import {
  asName,
  asObjects,
  isJsonObject,
  type JsonObject,
  type JsonValue,
} from '../json/json-value.ts';
import { fieldIn, readAnyValue, readKeyValues } from './otlp-values.ts';
import { groupBy, type Span, type SpanEvent } from './span.ts';

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
  const modelSpans = groupBy(spans.filter(callsModel), ({ traceId }) => traceId);
  const bySpan = groupBy(logged, ({ traceId, spanId }) => {
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
