import { asObjects } from '../formats/message-marks.ts';
import { asName, isJsonObject, type JsonObject, type JsonValue } from '../json/json-value.ts';
import type { Attributes, Span, SpanEvent } from './span.ts';

/**
 * Whether a value holds spans: OTLP JSON (`resourceSpans`, also with the field names in snake
 * case), Tempo's `batches` and `trace`, Jaeger's `data[].spans` or one trace of it.
 */
export function holdsSpans(value: JsonValue): boolean {
  if (!isJsonObject(value)) return false;
  return otlpResources(value) !== undefined || jaegerTraces(value) !== undefined;
}

/** All spans in a value, in the order found. What is not a span is passed over. */
export function readSpans(value: JsonValue): Span[] {
  if (Array.isArray(value)) return value.flatMap(readSpans);
  if (!isJsonObject(value)) return [];
  const resources = otlpResources(value);
  if (resources !== undefined) return resources.flatMap(readOtlpResource);
  return (jaegerTraces(value) ?? []).flatMap(readJaegerTrace);
}

function otlpResources(value: JsonObject): JsonObject[] | undefined {
  const holder = isJsonObject(value.trace) ? value.trace : value;
  const resources = holder.resourceSpans ?? holder.resource_spans ?? holder.batches;
  return Array.isArray(resources) ? asObjects(resources) : undefined;
}

function readOtlpResource(resource: JsonObject): Span[] {
  const scopes =
    resource.scopeSpans ??
    resource.scope_spans ??
    resource.instrumentationLibrarySpans ??
    resource.instrumentation_library_spans;
  const shared = isJsonObject(resource.resource) ? readKeyValues(resource.resource.attributes) : {};
  return asObjects(scopes)
    .flatMap((scope) => asObjects(scope.spans))
    .map((span) => readOtlpSpan(span, shared));
}

function readOtlpSpan(span: JsonObject, shared: Attributes): Span {
  const parentId = identifier(span.parentSpanId ?? span.parent_span_id);
  const status = isJsonObject(span.status) ? span.status.code : undefined;
  return {
    traceId: identifier(span.traceId ?? span.trace_id),
    spanId: identifier(span.spanId ?? span.span_id),
    ...(parentId === '' ? {} : { parentId }),
    name: asName(span.name),
    start: milliseconds(span.startTimeUnixNano ?? span.start_time_unix_nano),
    end: milliseconds(span.endTimeUnixNano ?? span.end_time_unix_nano),
    attributes: { ...shared, ...readKeyValues(span.attributes) },
    events: asObjects(span.events).map(({ name, attributes }) => ({
      name: asName(name),
      attributes: readKeyValues(attributes),
    })),
    failed: status === 2 || status === 'STATUS_CODE_ERROR' || status === 'ERROR',
  };
}

/** Nanoseconds, which no double holds exactly, cut to whole microseconds. */
function milliseconds(nanoseconds: JsonValue | undefined): number {
  if (typeof nanoseconds === 'string' && /^\d{1,20}$/.test(nanoseconds)) {
    return Number(BigInt(nanoseconds) / 1000n) / 1000;
  }
  return typeof nanoseconds === 'number' ? Math.round(nanoseconds / 1000) / 1000 : 0;
}

function readKeyValues(list: JsonValue | undefined): Attributes {
  return Object.fromEntries(
    asObjects(list).map(({ key, value }) => [asName(key), readAnyValue(value)]),
  );
}

/** @see opentelemetry-proto, common/v1/common.proto, message AnyValue. */
function readAnyValue(value: JsonValue | undefined): JsonValue {
  if (!isJsonObject(value)) return value ?? null;
  const [[kind, inner] = ['', null]] = Object.entries(value);
  switch (kind.replaceAll('_', '').toLowerCase()) {
    case 'intvalue':
    case 'doublevalue':
      return typeof inner === 'string' || typeof inner === 'number' ? Number(inner) : null;
    case 'arrayvalue':
      return asArray(isJsonObject(inner) ? inner.values : undefined).map(readAnyValue);
    case 'kvlistvalue':
      return { ...readKeyValues(isJsonObject(inner) ? inner.values : undefined) };
    default:
      return inner;
  }
}

function jaegerTraces(value: JsonObject): JsonObject[] | undefined {
  const traces = Array.isArray(value.data) ? asObjects(value.data) : [value];
  const areTraces =
    traces.length > 0 && traces.every((trace) => 'traceID' in trace && Array.isArray(trace.spans));
  return areTraces ? traces : undefined;
}

function readJaegerTrace(trace: JsonObject): Span[] {
  const processes = isJsonObject(trace.processes) ? trace.processes : {};
  return asObjects(trace.spans).map((span) => {
    const process = processes[asName(span.processID)];
    return readJaegerSpan(span, isJsonObject(process) ? process : {});
  });
}

function readJaegerSpan(span: JsonObject, process: JsonObject): Span {
  const own = readTags(span.tags);
  const parent = asObjects(span.references).find(({ refType }) => refType === 'CHILD_OF');
  const parentId = identifier(parent?.spanID);
  const start = microseconds(span.startTime) / 1000;
  const service = process.serviceName === undefined ? {} : { 'service.name': process.serviceName };
  return {
    traceId: identifier(span.traceID),
    spanId: identifier(span.spanID),
    ...(parentId === '' ? {} : { parentId }),
    name: asName(span.operationName),
    start,
    end: (microseconds(span.startTime) + microseconds(span.duration)) / 1000,
    attributes: { ...service, ...readTags(process.tags), ...own },
    events: asObjects(span.logs).map(readJaegerLog),
    failed: own['otel.status_code'] === 'ERROR' || own.error === true || own.error === 'true',
  };
}

function microseconds(value: JsonValue | undefined): number {
  return typeof value === 'number' && Number.isFinite(value) ? value : 0;
}

function readJaegerLog({ fields }: JsonObject): SpanEvent {
  const attributes = readTags(fields);
  return { name: asName(attributes.event ?? attributes.name), attributes };
}

function readTags(list: JsonValue | undefined): Attributes {
  return Object.fromEntries(asObjects(list).map(({ key, value }) => [asName(key), value ?? null]));
}

function asArray(value: JsonValue | undefined): JsonValue[] {
  return Array.isArray(value) ? value : [];
}

function identifier(value: JsonValue | undefined): string {
  return typeof value === 'string' || typeof value === 'number' ? String(value) : '';
}
